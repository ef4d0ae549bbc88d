/** Probability that an interval misses the true value on one side, and that a verdict falsely claims a saving or a cost. */
export const errorOfSide = 0.05;

/** Level of every interval that is shown or stored (0.9 = nine of ten hold), in panels, terminals and receipts alike. */
export const confidenceLevel = 1 - 2 * errorOfSide;
