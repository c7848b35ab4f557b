import { isObject } from '@agent-criteria/judge/texts';

/** A parameter by which tools share state, such as the id of an order. */
export interface StatefulParameter {
  readonly parameter: string;
  readonly creatingTools: readonly string[];
  readonly consumingTools: readonly string[];
}

/** How the tools of an agent are connected. */
export type ToolConnections = readonly StatefulParameter[];

/** Reads the connections from a model's answer, or returns the reason why they are unusable. */
export function readConnections(value: unknown): ToolConnections | { readonly problem: string } {
  const listed = isObject(value) ? value.stateful_parameters : undefined;
  if (!Array.isArray(listed)) return { problem: 'it has no list "stateful_parameters"' };
  const read: StatefulParameter[] = [];
  for (const one of listed) {
    const {
      parameter_name: parameter,
      creating_tools: creatingTools,
      consuming_tools: consumingTools,
    } = isObject(one) ? one : {};
    if (typeof parameter !== 'string' || !isNames(creatingTools) || !isNames(consumingTools)) {
      return {
        problem: 'an entry of "stateful_parameters" lacks "parameter_name", "creating_tools" or "consuming_tools"',
      };
    }
    read.push({ parameter, creatingTools, consumingTools });
  }
  return read;
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
