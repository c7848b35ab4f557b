import type { LanguageModel, ModelAccess, Problem } from '@agent-criteria/core';
import { modelsOfProject } from '../config/open-model.ts';
import type { Project } from '../config/open-project.ts';
import type { PlannedModel } from '../plan/planned-models.ts';

/** A model, and whether it can be called. */
export interface CheckedModel {
  readonly id: string;
  /** The names by which it is requested, such as `judge`. */
  readonly names: readonly string[];
  readonly askedBy: readonly string[];
  /** The service, or `null` if the model does not name one. */
  readonly service: string | null;
  /** The source of the key, never the key itself; `null` if there is none or the model does not name it. */
  readonly credentials: string | null;
  /** The duration of one small call in milliseconds, or `null` if none was made or it failed. */
  readonly latency: number | null;
  /** Whether its answers come from a recording, so that it is not called. */
  readonly recorded: boolean;
  readonly problems: readonly Problem[];
}

export interface CheckModelsOptions {
  readonly project: Project;
  /** The models that plans call. */
  readonly planned: readonly PlannedModel[];
  /** Whether to make no calls. */
  readonly offline: boolean;
  /** Whether all answers come from a recording, so that no key is needed. */
  readonly recorded: boolean;
  readonly signal: AbortSignal;
}

/**
 * Sends one small request to every model of the plans and of the project, all concurrently, unless `offline` or
 * `recorded`.
 */
export async function checkModels(options: CheckModelsOptions): Promise<readonly CheckedModel[]> {
  const { planned, project, offline, recorded, signal } = options;
  const all = byModel([...planned, ...(await ofProject(options))]);
  if (all.length === 0) return [];
  const { checkModel } = await import('@agent-criteria/models');
  const { variables } = project.environment;
  return Promise.all(
    all.map(async ({ model, names, askedBy }) => {
      const { id } = model;
      const describe = (
        access: ModelAccess | null,
        latency: number | null,
        more: readonly Problem[] = [],
      ): CheckedModel => ({
        id,
        names,
        askedBy,
        latency,
        recorded,
        service: access?.service ?? null,
        credentials: access?.credentials ?? null,
        problems: [...(access?.problems ?? []), ...more],
      });
      if (recorded) return { ...describe(model.access?.(variables) ?? null, null), problems: [] };
      if (offline) return describe(model.access?.(variables) ?? null, null);
      const { access, latency, failure } = await checkModel(model, variables, signal);
      if (failure === undefined) return describe(access, latency);
      const place = access === null ? '' : ` (${access.service}${keyText(access)})`;
      const message = `the model "${id}"${place} does not answer: ${failure.message}${adviceFor(failure.kind)}`;
      return describe(access, null, [{ code: 'CALL_FAILED', message }]);
    }),
  );
}

/** Names the source of a model's key. */
export function keyText({ credentials }: Pick<ModelAccess, 'credentials'>): string {
  return credentials === null ? ', no key' : `, key from ${credentials}`;
}

function adviceFor(kind: string): string {
  if (kind === 'auth') return '; put a key that is valid for it there, in the environment or in .env';
  if (kind === 'quota') return '; wait until there is more, or name another model with --judge-model';
  if (kind === 'network') return '; is the address right, and the server running?';
  return '';
}

/** Finds the judge and the models named in the project's config, whether or not a plan calls them. */
async function ofProject({ project }: CheckModelsOptions): Promise<PlannedModel[]> {
  const { models = {}, judgeModel } = project.config.settings;
  const names = [...(judgeModel === undefined ? [] : ['judge']), ...Object.keys(models)];
  if (names.length === 0) return [];
  const lookup = await modelsOfProject(project);
  return names.flatMap((name) => {
    const model = lookup(name);
    return model === undefined ? [] : [{ name, model, askedBy: [] }];
  });
}

interface Named {
  readonly model: LanguageModel;
  readonly names: readonly string[];
  readonly askedBy: readonly string[];
}

function byModel(planned: readonly PlannedModel[]): readonly Named[] {
  const found = new Map<string, Named>();
  for (const { model, name, askedBy } of planned) {
    const before = found.get(model.id) ?? { model, names: [], askedBy: [] };
    found.set(model.id, {
      model,
      names: [...new Set([...before.names, name])],
      askedBy: [...new Set([...before.askedBy, ...askedBy])],
    });
  }
  return [...found.values()];
}
