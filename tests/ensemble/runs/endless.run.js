// Owns a module that never gets loaded.

for (;;);
