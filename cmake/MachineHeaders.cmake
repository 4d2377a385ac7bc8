# Headers of the machine in the source tree, with which users compile their kernels and programs.
set(WEIR_MACHINE_HEADERS hw/*.h memory/*.h network/*.h nodes/*.h firmware/*.h)
