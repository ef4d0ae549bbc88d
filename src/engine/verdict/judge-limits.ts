/** With fewer contrasts, a run of luck is likelier than the boundaries assume: they are made for sums of many. */
export const fewestContrasts = 7;
/** Smallest share saved that is worth having. */
export const usualWorth = 0.1;
