/** What the editor knows the Bench panel by, over a reload of the window too. */
export const benchViewType = "purser.bench";
