/** What the editor knows the Compare panel by, over a reload of the window too. */
export const compareViewType = "purser.compare";
