// A module that never finishes loading.

for (;;);
