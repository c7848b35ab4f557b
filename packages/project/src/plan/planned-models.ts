import type { LanguageModel } from '@agent-criteria/core';
import type { Plan } from '@agent-criteria/core/host';

/** A model that a plan will call. */
export interface PlannedModel {
  /** The name by which it is requested: `judge`, or the name of a model. */
  readonly name: string;
  readonly model: LanguageModel;
  /** The criteria and the simulators that call it. */
  readonly askedBy: readonly string[];
}

/** The parts of a plan that can call a model. */
type Callers = { readonly [Part in 'criteria' | 'simulator' | 'environments']?: Plan[Part] | undefined };

/** Lists the models that the criteria, the simulated user and the simulated tools of these plans call, each once per name. */
export function plannedModels(plans: readonly (Callers & Pick<Plan, 'models'>)[]): readonly PlannedModel[] {
  const found = new Map<string, { model: LanguageModel; askedBy: Set<string> }>();
  for (const plan of plans) {
    for (const { by, names } of asked(plan)) {
      for (const name of names) {
        const model = plan.models(name);
        if (model === undefined) continue;
        // Two sets may use one name for different models.
        const key = JSON.stringify([name, model.id]);
        const one = found.get(key) ?? { model, askedBy: new Set<string>() };
        one.askedBy.add(by);
        found.set(key, one);
      }
    }
  }
  return [...found].map(([key, { model, askedBy }]) => ({
    name: (JSON.parse(key) as [string, string])[0],
    model,
    askedBy: [...askedBy],
  }));
}

/** Whether these parts of a plan call a model or a paid service. */
export function makesCalls({ criteria = [], simulator = null, environments = new Map() }: Callers): boolean {
  const paid = criteria.some(({ criterion }) => criterion.models !== undefined || criterion.estimate !== undefined);
  const simulated = [...environments.values()].flatMap(({ simulators }) => [...simulators.values()]);
  return paid || simulator?.simulator.models !== undefined || simulated.some(({ models }) => models !== undefined);
}

function asked({
  criteria = [],
  simulator = null,
  environments = new Map(),
}: Callers): readonly { readonly by: string; readonly names: readonly string[] }[] {
  const ofCriteria = criteria.map(({ name, criterion, options, caseOptions }) => ({
    by: name,
    names: [options, ...caseOptions.values()].flatMap((own) => criterion.models?.(own) ?? []),
  }));
  const ofTools = [...environments.values()].flatMap(({ config, simulators }) =>
    [...new Set(simulators.values())].map((one) => ({ by: one.name, names: one.models?.(config) ?? [] })),
  );
  if (simulator === null) return [...ofCriteria, ...ofTools];
  const { simulator: user, options } = simulator;
  return [...ofCriteria, { by: user.name, names: user.models?.(options) ?? [] }, ...ofTools];
}
