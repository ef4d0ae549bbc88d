import fc from "fast-check";

/**
 * Loaded before the tests of the check: the same commit draws the same cases everywhere, so that a passing check does not fail
 * elsewhere by chance. `npm test -- fuzz` draws new cases every time.
 */
fc.configureGlobal({ seed: 20_261_122 });
