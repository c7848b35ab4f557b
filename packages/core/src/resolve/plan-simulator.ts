import type { EvalConfig } from '@agent-criteria/formats';
import { formatPath } from '@agent-criteria/formats/schema';
import { checkModels } from './check-models.ts';
import { readOptions } from './options.ts';
import type { Plan } from './plan.ts';
import { explainUnknown } from './plugin-advice.ts';
import { ask, type BareContext, placed, problem } from './resolve-context.ts';

/** ADK's default type of simulated user. */
const DEFAULT_SIMULATOR = 'llm_backed';

/**
 * Plans the simulated user for the set's scenarios. Reports problems. Returns `null` if the set has no scenarios, or if
 * the simulator is unknown or its options are wrong.
 */
export function planSimulator(context: BareContext, config: EvalConfig | null): Plan['simulator'] {
  const scenarios = context.options.evalSet.evalCases.filter((evalCase) => evalCase.conversationScenario);
  const first = scenarios[0];
  const { type, ...own } = config?.userSimulatorConfig ?? {};
  const name = type ?? DEFAULT_SIMULATOR;
  if (first === undefined) {
    // An unknown name is a mistake even if no simulated user is needed.
    const unused = context.registry.get('user-simulator', name);
    if (unused !== undefined) {
      // Mistakes in unused options are ignored; warnings about comments are reported.
      const { warnings } = readOptions(unused, own, '$.user_simulator_config', context.options.file);
      context.warnings.push(...warnings);
    } else if (name !== DEFAULT_SIMULATOR) {
      const message = explainUnknown({ kind: 'user-simulator', name }, context.registry, context.options.advice);
      context.problems.push(problem(context, 'UNKNOWN_SIMULATOR', message, '$.user_simulator_config.type'));
    }
    return null;
  }
  const simulator = context.registry.get('user-simulator', name);
  if (simulator === undefined) {
    const others = scenarios.length > 1 ? ` and ${scenarios.length - 1} more` : '';
    const why = explainUnknown({ kind: 'user-simulator', name }, context.registry, context.options.advice);
    const message = `the case "${first.evalId}"${others} needs a simulated user, and ${why}`;
    context.problems.push({ code: 'UNKNOWN_SIMULATOR', message });
    return null;
  }
  const read = readOptions(simulator, own, '$.user_simulator_config', context.options.file);
  context.problems.push(...read.problems);
  context.warnings.push(...read.warnings);
  if (read.problems.length > 0) return null;
  checkModels(context, simulator, read.value, '$.user_simulator_config');
  for (const [index, { conversationScenario }] of context.options.evalSet.evalCases.entries()) {
    if (!conversationScenario) continue;
    const path = formatPath(['eval_cases', index, 'conversation_scenario']);
    const found = ask(
      context,
      path,
      `check of ${simulator.name} (${simulator.origin.package})`,
      () => simulator.check?.(conversationScenario, read.value) ?? [],
      (problems) => Array.isArray(problems) && problems.every((one) => typeof one?.message === 'string'),
    );
    context.problems.push(...(found ?? []).map((one) => placed(one, path)));
  }
  return { simulator, options: read.value };
}
