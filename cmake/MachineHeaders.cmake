# The headers of the machine, in the source tree: what kernels and programs of one's own can be compiled with.
set(WEIR_MACHINE_HEADERS hw/*.h memory/*.h network/*.h nodes/*.h firmware/*.h)
