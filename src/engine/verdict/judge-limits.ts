/**
 * Minimum contrasts. With fewer, a lucky run is likelier than the boundaries assume: they are made for sums of many.
 */
export const fewestContrasts = 7;
/** Minimum share saved that is worth having. */
export const usualWorth = 0.1;
