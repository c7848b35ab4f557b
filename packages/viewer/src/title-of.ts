import type { RunRecord } from '@agent-criteria/results';

const SETS_NAMED = 3;

/** Returns the title of a page: the sets and the name of the agent. */
export function titleOf({ info, sets }: Pick<RunRecord, 'info' | 'sets'>): string {
  const names = sets.slice(0, SETS_NAMED).map(({ id, name }) => name ?? id);
  const more = sets.length - names.length;
  const evaluated = `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const agent = info.variants?.map(({ name }) => name).join(', ') ?? nameIn(info.agent);
  if (evaluated === '') return agent;
  return evaluated.toLowerCase() === agent.toLowerCase() ? evaluated : `${evaluated}: ${agent}`;
}

/**
 * Extracts `lamp` from `examples/lamp/agent.ts`, `http://127.0.0.1:8000/apps/lamp` and `a2a+https://lamp`, and what is before
 * the name of an agent card.
 */
function nameIn(agent: string): string {
  const [url = ''] = agent.replace(/^(?:a2a\+)?https?:\/\//i, '').split(/[?#]/);
  const path = url === agent ? url : url.replace(/(?:\/\.well-known)?\/agent(?:-card)?\.json$/i, '');
  const segments = path.split(/[\\/]/).filter((segment) => segment !== '' && segment !== '.');
  const [last = agent, folder] = segments.reverse();
  const name = last.replace(/\.[cm]?[jt]sx?$/i, '');
  return folder !== undefined && /^(agent|app|index|main)$/i.test(name) ? folder : name;
}
