/** Facts about VS Code's chat. */
export type { EditorFacts } from "./vscode-chat/working-folders.ts";
export { editorFactsFile } from "./vscode-chat/vscode-chat-roots.ts";
