/** Sessions between two computations of the chances, so that sessions that run at once need not wait for each other. */
export const sessionsPerUpdate = 10;
/** Smallest chance of a rule that is drawn: what is never drawn cannot be judged. */
export const smallestChance = 0.05;
/** Share of sessions that go on without a rule that saves, so that a rule that turns is noticed. */
export const usualHoldOut = 0.05;
export const [minHoldOut, maxHoldOut] = [0.05, 0.1];
