import { visible } from '@agent-criteria/viewer/views';
import { useEffect, useState } from 'preact/hooks';
import type { CriterionChoice, NewRun, RunChoices, RunConfig, RunEstimate, RunNeeds, RunSummary } from '../../api.ts';
import { ask, isLostUpdate, messageOf } from '../api-client.ts';
import { useFormErrors } from '../form-errors.ts';
import { formatRoute, type Route } from '../route.ts';
import { complain, notify, notifySaved } from '../toasts.tsx';
import { keepLastChoice, lastChoice } from './last-choice.ts';
import { type Choice, type Chosen, configChoice, metricsChoice, metricsOf, takes } from './run-choice.ts';

export type RunDialogRoute = Extract<Route, { view: 'run-dialog' }>;

export type RunDraft = ReturnType<typeof useRunDraft>;

/** Choices other than the criteria. */
export interface HowToRun extends Pick<NewRun, 'agent' | 'concurrency' | 'variants'> {
  readonly scope: 'all' | 'chosen' | 'failed';
  /** If empty, the one in the config. */
  readonly judgeModel: string;
  /** Calls to each judge per vote. Default: the option of each criterion. */
  readonly samples?: number | undefined;
  readonly repeats: number;
}

/** Manages the choices before a run, with its estimate and the needs of its criteria. */
export function useRunDraft({ app, set, cases }: RunDialogRoute) {
  const [choices, setChoices] = useState<RunChoices | null>(null);
  const [chosen, setChosen] = useState<Chosen>({ criteria: new Map(), simulator: {} });
  const [from, setFrom] = useState('config');
  /** Criteria that were initially on. They determine the grouping, so that ticking a criterion does not move it. */
  const [initial, setInitial] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<RunSummary | null>(null);
  const [how, setHow] = useState<HowToRun>({ scope: cases.length > 0 ? 'chosen' : 'all', judgeModel: '', repeats: 1 });
  const [needs, setNeeds] = useState<RunNeeds | null>(null);
  const [estimate, setEstimate] = useState<RunEstimate | null>(null);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  /** The config as saved elsewhere. */
  const [theirs, setTheirs] = useState<RunChoices | null>(null);
  const [wrong, report] = useFormErrors();
  const place = { app, set };

  const choose = (next: Chosen) => {
    setChosen(next);
    setInitial(new Set([...next.criteria].flatMap(([name, { on }]) => (on ? [name] : []))));
  };
  const take = (next: RunChoices) => {
    setChoices(next);
    setTheirs(null);
    choose(configChoice(next));
    setFrom('config');
    setHow(({ scope }) => ({ scope, judgeModel: next.judgeModel ?? '', repeats: next.settings.repeats.value }));
  };
  useEffect(() => {
    setChoices(null);
    ask('GET /apps/:app/sets/:set/criteria', place).then(take, (error) => setProblem(messageOf(error)));
  }, [app, set]);

  const { agent, scope, samples, repeats, concurrency, variants } = how;
  useEffect(() => {
    lastRun(place, agent).then(setLast, () => undefined);
  }, [app, set, agent]);
  const metrics = choices === null ? [] : metricsOf(choices, chosen, { samples });
  const isLed = choices !== null && choices.scenarios > 0;
  const simulated = isLed && Object.keys(chosen.simulator).length > 0 ? { userSimulator: chosen.simulator } : {};
  const judgeModel = how.judgeModel.trim() || undefined;
  const request: NewRun = {
    app,
    agent,
    sets: [set],
    repeats,
    metrics,
    ...simulated,
    judgeModel,
    concurrency,
    variants,
    cases: scope === 'chosen' ? cases : undefined,
    failedIn: scope === 'failed' ? last?.id : undefined,
  };
  const key = JSON.stringify(request);
  useEffect(() => {
    setEstimate(null);
    if (choices === null) return;
    if (metrics.length === 0) return setProblem('Choose at least one criterion.');
    return debounced(async (signal) => {
      try {
        setEstimate(await ask('POST /estimate', { body: request, signal }));
        setProblem(undefined);
      } catch (error) {
        if (!signal.aborted) setProblem(messageOf(error));
      }
    });
  }, [key, choices === null]);
  const asked: RunConfig = {
    metrics: choices === null ? [] : metricsOf(choices, chosen, { samples, all: true }),
    ...simulated,
    judgeModel,
  };
  const config = JSON.stringify(asked);
  useEffect(() => {
    if (choices === null || asked.metrics.length === 0) return;
    return debounced(async (signal) => {
      // Errors in the request itself are reported by the estimate.
      const body = asked;
      const found = await ask('POST /apps/:app/sets/:set/needs', { ...place, body, signal }).catch(() => null);
      if (!signal.aborted) setNeeds(found);
    });
  }, [config]);

  const start = async () => {
    setBusy(true);
    try {
      const { id } = await ask('POST /runs', { body: request });
      keepLastChoice(app, set, { metrics, simulator: chosen.simulator });
      location.hash = `${formatRoute({ view: 'run', run: id })}/`;
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const save = async (seen: string) => {
    try {
      const body = { metrics, ...simulated };
      const saved = await ask('PUT /apps/:app/sets/:set/config', { ...place, body, seen });
      take(saved);
      const file = visible(saved.config ?? 'test_config.json');
      notifySaved(`Saved in ${file}, which the command reads, too.`, saved, () => {
        ask('GET /apps/:app/sets/:set/criteria', place).then(take, complain);
        notify(`${file} is as it was before.`);
      });
    } catch (error) {
      if (isLostUpdate<RunChoices>(error)) setTheirs(error.body.theirs);
      else complain(error);
    }
  };
  const change = (name: string, next: Partial<Choice>) => {
    const before = chosen.criteria.get(name);
    if (before === undefined) return;
    setChosen({ ...chosen, criteria: new Map([...chosen.criteria, [name, { ...before, ...next }]]) });
  };
  const chooseFrom = (name: string) => {
    if (choices === null) return;
    setFrom(name);
    const kept = lastChoice(app, set);
    const preset = choices.presets.find((one) => one.name === name);
    if (name === 'last' && kept !== null) choose(metricsChoice(choices, kept.metrics, kept.simulator));
    else if (preset !== undefined) choose(metricsChoice(choices, preset.metrics));
    else choose(configChoice(choices));
  };
  const fits = choices?.criteria.filter(({ fit }) => fit.cases > 0) ?? [];
  const [ready, lacking] = byReadiness(fits, needs, initial);
  const misfits = choices?.criteria.filter(({ fit }) => fit.cases === 0) ?? [];
  const lacks = metrics.some(({ metricName }) => {
    const { problems = [], unwritten = [] } = needs?.criteria[metricName] ?? {};
    return problems.length + unwritten.length > 0;
  });
  const judges = fits.some((one) => takes(one, 'judgeModelOptions') && chosen.criteria.get(one.name)?.on === true);
  return {
    choices,
    chosen,
    setChosen,
    from,
    chooseFrom,
    how,
    set: (next: Partial<HowToRun>) => setHow((before) => ({ ...before, ...next })),
    last,
    needs,
    estimate,
    problem,
    busy,
    theirs,
    report,
    isLed,
    ready,
    lacking,
    misfits,
    judges,
    take,
    start,
    save,
    change,
    canSave: metrics.length > 0 && wrong === 0,
    canStart: !busy && metrics.length > 0 && problem === undefined && !lacks && wrong === 0,
  };
}

/** Debounce delay in milliseconds. */
const PAUSE = 300;

/** Calls a function after a debounce delay. @returns a function that cancels the call. */
function debounced(work: (signal: AbortSignal) => Promise<void>): () => void {
  const stop = new AbortController();
  const timer = setTimeout(() => void work(stop.signal), PAUSE);
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}

interface Lacking {
  readonly problem: string;
  readonly criteria: readonly CriterionChoice[];
}

/**
 * Splits criteria into runnable and blocked ones, the latter grouped by what is missing. Criteria that were initially
 * on count as runnable.
 */
export function byReadiness(
  fits: readonly CriterionChoice[],
  needs: RunNeeds | null,
  initial: ReadonlySet<string>,
): readonly [readonly CriterionChoice[], readonly Lacking[]] {
  const lacking = new Map<string, CriterionChoice[]>();
  const ready = fits.filter((one) => {
    const problem = needs?.criteria[one.name]?.problems.join('\n') ?? '';
    if (problem === '' || initial.has(one.name)) return true;
    lacking.set(problem, [...(lacking.get(problem) ?? []), one]);
    return false;
  });
  return [ready, [...lacking].map(([problem, criteria]) => ({ problem, criteria }))];
}

/**
 * Finds the newest finished run of a set among the last 20 runs of an agent, by default its own. A set is named by its own id in runs, but
 * by its file in requests.
 */
export async function lastRun(
  { app, set }: { readonly app: string; readonly set: string },
  agent = app,
): Promise<RunSummary | null> {
  const { runs } = await ask('GET /runs', { query: { app: agent, limit: 20 } });
  for (const run of runs) {
    if (run.state !== 'finished') continue;
    const { places } = await ask('GET /runs/:run', { run: run.id });
    if (places.some((place) => place.app === app && place.set === set)) return run;
  }
  return null;
}
