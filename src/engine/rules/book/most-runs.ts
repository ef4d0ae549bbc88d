/** Maximum newest runs that are considered. */
export const maxRuns = 200;
