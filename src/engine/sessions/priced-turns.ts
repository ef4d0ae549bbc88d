/** Turns that prices of going on, and of a new session, cover. */
export const pricedTurns = 10;
