/** How many of the newest runs are considered. */
export const mostRuns = 200;
