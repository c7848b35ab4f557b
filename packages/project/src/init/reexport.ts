import type { AgentModule } from './find-agent-module.ts';

/**
 * Writes a module, in a folder beside the agent's code, that exports the agent under a name by which it is found.
 * @param names The names by which it is found.
 */
export function reexport(
  { path, name, importEnding }: AgentModule,
  names: readonly string[],
): { readonly file: string; readonly text: string } {
  const isFound = name !== 'default' && names.includes(name);
  const from = `../${isTypeScript(path) ? path.replace(/\.[^.]+$/, endingOf(path, importEnding)) : path}`;
  const text = `// The agent under test: the project's own.
export { ${isFound ? name : `${name} as agent`} } from ${/['\\]/.test(from) ? JSON.stringify(from) : `'${from}'`};
`;
  return { file: isTypeScript(path) ? 'agent.ts' : 'agent.mjs', text };
}

function isTypeScript(path: string): boolean {
  return /\.[cm]?tsx?$/.test(path);
}

/** Returns the ending of an import, in the style of the project where there is a choice. */
function endingOf(path: string, style: string): string {
  const [own = ''] = /\.[^.]+$/.exec(path) ?? [];
  if (own === '.ts') return style;
  return own === '.tsx' && style === '' ? '' : own;
}
