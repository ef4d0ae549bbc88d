/** Time as a port: nothing below the hosts reads the machine's clock by itself. Milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
