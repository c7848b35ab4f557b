import {
  DEFAULT_JUDGE_MODEL,
  efficiencyMetrics,
  installLine,
  knownCriteria,
  knownProviders,
  knownSimulators,
} from '../registry/known-plugins.ts';
import type { Registry } from '../registry/registry.ts';
import { didYouMean } from '../schema/did-you-mean.ts';

const MOST_LISTED = 20;

/** Why there is no criterion of this name, and what to do: install, correct, or leave it out. */
export function unknownCriterion(registry: Registry, name: string): string {
  if (efficiencyMetrics.includes(name)) {
    return `ADK measures ${name} in every run and refuses a threshold on it; agent-criteria does not measure it yet. Remove it from "criteria"`;
  }
  if (name === 'tool_parameter_match') {
    return `ADK's ${name} is not part of agent-criteria yet; tool_trajectory_avg_score with "matchers" compares arguments one by one`;
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
  const elsewhere = hint === '' ? '. If a package brings it, name that under "plugins" or import it' : '';
  return `there is no criterion named "${name}"${hint} (${list})${elsewhere}`;
}

/** Why the function of a custom metric does not run, and what to do: have it loaded, port it, or register a criterion. */
export function unknownCustomMetric(name: string, functionName: string): string {
  const instead = `Or register a criterion named "${name}" (defineCriterion, then "plugins" or registerPlugin) that does the same`;
  if (functionName.includes('#')) {
    return `the function "${functionName}" is not loaded: loadPlan of @agent-criteria/runner/load does that. ${instead}`;
  }
  const words = functionName.split('.').filter((word) => /^\w+$/.test(word));
  const exported = words.at(-1) ?? 'evaluate';
  const file = words.at(-2) ?? 'custom_metrics';
  return (
    `"${functionName}" is a function in Python, which cannot be called from here. Port it: ` +
    `export function ${exported}(evalMetric, actualInvocations, expectedInvocations, conversationScenario), returning ` +
    `{ perInvocationResults: [{ score }] } with one entry for each actual invocation, and name it "./${file}.ts#${exported}". ${instead}`
  );
}

/**
 * Whether a simulator of ours has this name. Speech (`llm_audio`) is refused where nobody is simulated, too: ADK speaks
 * fixed messages as well.
 */
export function isKnownSimulator(name: string): boolean {
  return knownSimulators.has(name);
}

/**
 * Why there is no model of this name, and what to do: install its provider, or name one that is there.
 * @param configured The names that whoever asks has models for.
 */
export function unknownModel(registry: Registry, name: string, configured: readonly string[]): string {
  const asked = name === 'judge' ? DEFAULT_JUDGE_MODEL : name;
  const known = knownProviders.find((provider) => provider.accepts.test(asked));
  const what =
    name === 'judge'
      ? `nothing says which model judges, and the default, ${asked}, is not provided`
      : `nothing provides the model "${name}"${didYouMean(name, configured)}`;
  const from = known === undefined ? '' : `. It comes with ${known.package}: ${installLine(known.package)}`;
  const providers = registry.list('model-provider').map((provider) => provider.names ?? provider.name);
  const there = [...configured.map((own) => `"${own}"`), ...providers];
  const list = there.length === 0 ? 'no model is configured' : `there are ${there.join(', ')}`;
  const understood = knownProviders.map(({ names, package: brings }) => `${names} of ${brings}`).join('; ');
  const others = known === undefined ? `. Providers that can be installed: ${understood}` : '';
  return `${what} (${list})${from}${others}. Or name another model: "judge" and "models" in agent-criteria.config, or --judge-model`;
}

/** The same for a simulated user; `needed` says which cases have a scenario, `null` none. */
export function unknownSimulator(
  registry: Registry,
  name: string,
  needed: { readonly caseId: string; readonly count: number } | null,
): string {
  const others = needed !== null && needed.count > 1 ? ` and ${needed.count - 1} more` : '';
  const what = needed === null ? '' : `the case "${needed.caseId}"${others} needs a simulated user, and `;
  if (name === 'llm_audio') {
    return `${what}spoken conversations (llm_audio) are not supported: use "llm_backed"`;
  }
  const packageName = knownSimulators.get(name);
  if (packageName) {
    return `${what}no simulator of the type "${name}" is registered: ${installLine(packageName)}, then import it`;
  }
  const registered = registry.list('user-simulator').map((simulator) => simulator.name);
  const names = [...new Set([...registered, ...knownSimulators.keys()])];
  return `${what}there is no simulator of the type "${name}"${didYouMean(name, names)} (known: ${names.join(', ')})`;
}
