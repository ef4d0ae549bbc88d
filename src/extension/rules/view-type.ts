/** What the editor knows the Rule Review panel by, over a reload of the window too. */
export const rulesViewType = "purser.rules";
