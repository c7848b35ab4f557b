import { efficiencyMetrics, installLine, knownCriteria, knownSimulators } from '../registry/known-plugins.ts';
import type { Registry } from '../registry/registry.ts';
import { didYouMean } from '../schema/did-you-mean.ts';

const MOST_LISTED = 20;

/** Why there is no criterion of this name, and what to do: install, correct, or leave it out. */
export function unknownCriterion(registry: Registry, name: string): string {
  if (efficiencyMetrics.includes(name)) {
    return `ADK measures ${name} in every run and refuses a threshold on it; agent-criteria does not measure it yet. Remove it from "criteria"`;
  }
  const known = knownCriteria.find((criterion) => criterion.name === name);
  if (known) {
    return `the criterion "${name}" is not registered. It comes with ${known.package}: ${installLine(known.package)}, then import it or name it in "plugins"`;
  }
  const registered = registry.list('criterion').map((criterion) => criterion.name);
  const hint = didYouMean(name, [...new Set([...registered, ...knownCriteria.map((criterion) => criterion.name)])]);
  const more = registered.length > MOST_LISTED ? `, and ${registered.length - MOST_LISTED} more` : '';
  const shown = registered.slice(0, MOST_LISTED).join(', ');
  const list = registered.length === 0 ? 'none is registered' : `registered: ${shown}${more}`;
  return `there is no criterion named "${name}"${hint} (${list})`;
}

/** The same for the simulated user that cases need. */
export function unknownSimulator(registry: Registry, name: string, caseId: string, count: number): string {
  const what = `the case "${caseId}"${count > 1 ? ` and ${count - 1} more` : ''} needs a simulated user`;
  if (name === 'llm_audio')
    return `${what} of the type "llm_audio": spoken conversations are not supported. Use "llm_backed"`;
  const packageName = knownSimulators.get(name);
  if (packageName)
    return `${what}, and no simulator of the type "${name}" is registered: ${installLine(packageName)}, then import it`;
  const names = [
    ...new Set([...registry.list('user-simulator').map((simulator) => simulator.name), ...knownSimulators.keys()]),
  ];
  return `${what}, and there is no simulator of the type "${name}"${didYouMean(name, names)} (known: ${names.join(', ')})`;
}
