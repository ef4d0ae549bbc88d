/** What the editor knows the Status panel by, over a reload of the window too. */
export const statusPanelViewType = "purser.report";
