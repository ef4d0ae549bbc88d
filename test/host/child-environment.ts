/** Variables an editor, an agent or npm sets for its child processes, which a new editor must not see. */
const foreign =
  /^(?:VSCODE_|ELECTRON_|CLAUDE|ANTHROPIC_|CODEX_|npm_|NODE_OPTIONS|NODE_TEST_CONTEXT|PURSER_)/u;

/** This process's environment without the foreign variables, plus `added`. */
export function childEnvironment(added: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return { ...Object.fromEntries(inherited), ...added };
}
