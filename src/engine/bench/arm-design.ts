/**
 * The design of several arms: changes of one configuration, compared with the same runs of the unchanged one.
 * The unchanged one runs more often than an arm, since each of its runs counts for every arm. √k times for k
 * arms is optimal (Dunnett 1955).
 */

/** Maximum arms per comparison: with more arms, each must show more. */
export const maxArms = 8;

/** Returns how many of the configurations are the unchanged one: the maximum of its runs at one place. */
export function controlsOf(arms: number): number {
  return Math.ceil(Math.sqrt(arms));
}

/** Returns how many of a design's configurations, the first ones, are the unchanged one. */
export function controlsFor(configurations: number): number {
  let arms = 1;
  while (arms + controlsOf(arms) < configurations) arms += 1;
  return configurations - arms;
}

/**
 * Returns the runs of the unchanged configuration in one round of one task: √arms of them on average, spread as evenly as
 * whole numbers can be (Beatty's sequence).
 * @param about.arms that are left
 * @param about.place of the round of the task, counted over all tasks and rounds
 * @param about.start of the sequence, from 0 to 1
 */
export function controlsAt({
  arms,
  place,
  start,
}: {
  readonly arms: number;
  readonly place: number;
  readonly start: number;
}): number {
  const root = Math.sqrt(arms);
  return Math.floor((place + 1) * root + start) - Math.floor(place * root + start);
}
