// Starts the engine of the page's game at once, so that it loads in parallel with the page's
// scripts. local.js takes it over. Not a module: those run only after the page is parsed.

/** @type {any} */ (self).engine = new Worker("assets/worker.js", { type: "module" });
