import type { RunRecord } from '@agent-criteria/results';

const SETS_NAMED = 3;

/** What a page is called: the sets, and the agent by its name alone. Its path stands below, among the facts. */
export function titleOf({ info, sets }: Pick<RunRecord, 'info' | 'sets'>): string {
  const names = sets.slice(0, SETS_NAMED).map(({ id, name }) => name ?? id);
  const more = sets.length - names.length;
  const evaluated = `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const agent = info.variants?.map(({ name }) => name).join(', ') ?? nameIn(info.agent);
  if (evaluated === '') return agent;
  return evaluated.toLowerCase() === agent.toLowerCase() ? evaluated : `${evaluated}: ${agent}`;
}

/** `examples/lamp/agent.ts` is called lamp, `http://127.0.0.1:8000/apps/lamp` as well. */
function nameIn(agent: string): string {
  const [path = ''] = agent.replace(/^https?:\/\//i, '').split(/[?#]/);
  const segments = path.split(/[\\/]/).filter((segment) => segment !== '' && segment !== '.');
  const [last = agent, folder] = segments.reverse();
  const name = last.replace(/\.[cm]?[jt]sx?$/i, '');
  return folder !== undefined && /^(agent|app|index|main)$/i.test(name) ? folder : name;
}
