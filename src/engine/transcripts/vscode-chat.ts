/** Facts about VS Code's chat. */
export type { EditorFacts } from "./vscode-chat/editor-facts.ts";
export { editorFactsFile } from "./vscode-chat/vscode-chat-roots.ts";
