import { dirname } from 'node:path';
import { isObject } from '@agent-criteria/formats';
import { readEvalConfig, withSettings } from '@agent-criteria/project/config';
import { type CheckedNeeds, checkCriteria, keyText } from '@agent-criteria/project/doctor';
import type { Needs, RunNeeds } from '../api.ts';
import { projectOf } from '../apps/app.ts';
import { type FoundSet, openSet } from '../sets/find-sets.ts';
import type { Studio } from '../studio.ts';
import { type AskedConfig, mergedConfig } from './run-config.ts';

/**
 * Checks the needs of a run of a set, by criterion, and whether they are met here. @throws A refusal, like
 * `mergedConfig`.
 */
export async function runNeeds(
  studio: Studio,
  found: FoundSet,
  { judgeModel, ...asked }: AskedConfig & { readonly judgeModel: string | undefined },
): Promise<RunNeeds> {
  const opened = await projectOf(studio, found.app);
  const config = judgeModel === undefined ? opened.config : withSettings(opened.config, { judgeModel }, 'flag');
  const project = { ...opened, config };
  const before = await readEvalConfig(found.file, { project: config });
  const folder = before.file === undefined ? (before.folder ?? dirname(found.file)) : dirname(before.file);
  const { criteria, agent_criteria: own, ...rest } = mergedConfig(before, asked, (path) => path);
  const { value: evalSet } = await openSet(found);
  const measured = isObject(own) && Array.isArray(own.measure) ? own.measure : [];
  const checked = await checkCriteria({
    evalSet,
    config: rest,
    criteria: isObject(criteria) ? criteria : {},
    folder,
    project,
  });
  return {
    run: needsOf(checked.run),
    criteria: {
      ...Object.fromEntries(measured.map((name) => [String(name), { problems: [], unwritten: [], asks: [] }])),
      ...Object.fromEntries([...checked.criteria].map(([name, one]) => [name, needsOf(one)])),
    },
  };
}

function needsOf({ problems, models, services }: CheckedNeeds): Needs {
  const asks = [
    ...models.map((model) => (model.recorded ? `${model.id} (recorded)` : `${model.id}${place(model)}`)),
    ...services.map((service) => `${service.service}${service.recorded ? ' (recorded)' : keyText(service)}`),
  ];
  const messages = (isUnwritten: boolean) => {
    const found = problems.filter(({ code }) => (code === 'NEEDS_UNMET') === isUnwritten);
    return [...new Set(found.map(({ message }) => message))];
  };
  return { problems: messages(false), unwritten: messages(true), asks: [...new Set(asks)] };
}

function place({ service, credentials }: CheckedNeeds['models'][number]): string {
  return service === null ? '' : ` (${service}${keyText({ credentials })})`;
}
