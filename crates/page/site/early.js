// Starts the engine of the page's game at once: it loads beside the page's own scripts.
// local.js takes it over. It is no module, so that nothing has to load before it.

/** @type {any} */ (self).engine = new Worker("assets/worker.js", { type: "module" });
