import { count, visible } from '@agent-criteria/viewer/views';
import { useEffect, useState } from 'preact/hooks';
import type {
  CriterionChoice,
  NewRun,
  RunChoices,
  RunConfig,
  RunEstimate,
  RunNeeds,
  RunSummary,
  SavedConfig,
} from '../../api.ts';
import { ask, isLostUpdate, messageOf, path } from '../api-client.ts';
import { Field } from '../field.tsx';
import { NumberField } from '../number-field.tsx';
import { formatRoute, type Route } from '../route.ts';
import { Slips, useSlips } from '../slips.ts';
import { complain, notify } from '../toasts.tsx';
import { notifySaved } from '../undo-change.ts';
import { View } from '../view.tsx';
import { Beginning } from './beginning.tsx';
import { byReadiness } from './by-readiness.ts';
import { ConfigConflict } from './config-conflict.tsx';
import { CriterionForm } from './criterion-form.tsx';
import { keepLastChoice, lastChoice } from './last-choice.ts';
import { lastRun } from './last-run.ts';
import { later } from './later.ts';
import { type Choice, type Chosen, configChoice, metricsChoice, metricsOf, takes } from './run-choice.ts';
import { RunEstimated } from './run-estimate.tsx';
import { type Scope, ScopeField } from './scope-field.tsx';
import { SimulatorFields } from './simulator-fields.tsx';
import { VariantsForm } from './variants-form.tsx';

/** What is chosen before a run. */
export function RunDialog({ route }: { readonly route: Extract<Route, { view: 'run-dialog' }> }) {
  const { app, set, cases } = route;
  const [choices, setChoices] = useState<RunChoices | null>(null);
  const [chosen, setChosen] = useState<Chosen>({ criteria: new Map(), simulator: {} });
  const [from, setFrom] = useState('config');
  /** What was on when the choice began: a criterion does not change its place when it is ticked. */
  const [begun, setBegun] = useState<ReadonlySet<string>>(new Set());
  const [scope, setScope] = useState<Scope>(cases.length > 0 ? 'chosen' : 'all');
  const [last, setLast] = useState<RunSummary | null>(null);
  const [judgeModel, setJudgeModel] = useState('');
  const [samples, setSamples] = useState<number>();
  const [repeats, setRepeats] = useState(1);
  const [concurrency, setConcurrency] = useState<number>();
  const [variants, setVariants] = useState<NewRun['variants']>();
  const [needs, setNeeds] = useState<RunNeeds | null>(null);
  const [estimate, setEstimate] = useState<RunEstimate | null>(null);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  /** The config as somebody else saved it meanwhile. */
  const [theirs, setTheirs] = useState<RunChoices | null>(null);
  const [wrong, report] = useSlips();
  const at = path('apps', app, 'sets', set);

  const begin = (next: Chosen) => {
    setChosen(next);
    setBegun(new Set([...next.criteria].flatMap(([name, { on }]) => (on ? [name] : []))));
  };
  const take = (next: RunChoices) => {
    setChoices(next);
    setTheirs(null);
    begin(configChoice(next));
    setFrom('config');
    setJudgeModel(next.judgeModel ?? '');
    setSamples(undefined);
    setRepeats(next.settings.repeats.value);
    setConcurrency(undefined);
    setVariants(undefined);
  };
  useEffect(() => {
    setChoices(null);
    ask<RunChoices>('GET', `${at}/criteria`).then(take, (error) => setProblem(messageOf(error)));
    lastRun(app, set).then(setLast, () => undefined);
  }, [at]);

  const metrics = choices === null ? [] : metricsOf(choices, chosen, { samples });
  const isLed = choices !== null && choices.scenarios > 0;
  const simulated = isLed && Object.keys(chosen.simulator).length > 0 ? { userSimulator: chosen.simulator } : {};
  const judge = judgeModel.trim() === '' ? {} : { judgeModel: judgeModel.trim() };
  const request: NewRun = {
    app,
    sets: [set],
    repeats,
    metrics,
    ...simulated,
    ...judge,
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(variants === undefined ? {} : { variants }),
    ...(scope === 'chosen' ? { cases } : {}),
    ...(scope === 'failed' && last !== null ? { failedIn: last.id } : {}),
  };
  const key = JSON.stringify(request);
  useEffect(() => {
    setEstimate(null);
    if (choices === null) return;
    if (metrics.length === 0) return setProblem('Choose at least one criterion.');
    return later(async (signal) => {
      try {
        setEstimate(await ask<RunEstimate>('POST', '/estimate', { body: request, signal }));
        setProblem(undefined);
      } catch (error) {
        if (!signal.aborted) setProblem(messageOf(error));
      }
    });
  }, [key, choices === null]);
  const asked: RunConfig = {
    metrics: choices === null ? [] : metricsOf(choices, chosen, { samples, all: true }),
    ...simulated,
    ...judge,
  };
  const config = JSON.stringify(asked);
  useEffect(() => {
    if (choices === null || asked.metrics.length === 0) return;
    return later(async (signal) => {
      // What is wrong with the request itself is said by the estimate.
      const found = await ask<RunNeeds>('POST', `${at}/needs`, { body: asked, signal }).catch(() => null);
      if (!signal.aborted) setNeeds(found);
    });
  }, [config]);

  const start = async () => {
    setBusy(true);
    try {
      const { id } = await ask<{ readonly id: string }>('POST', '/runs', { body: request });
      keepLastChoice(app, set, { metrics, simulator: chosen.simulator });
      location.hash = `${formatRoute({ view: 'run', run: id })}/`;
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const save = async (version: string) => {
    try {
      const saved = await ask<SavedConfig>('PUT', `${at}/config`, { body: { metrics, ...simulated }, version });
      take(saved);
      const file = visible(saved.config ?? 'test_config.json');
      notifySaved(`Saved in ${file}, which the command reads, too.`, saved, () => {
        ask<RunChoices>('GET', `${at}/criteria`).then(take, complain);
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
    if (name === 'last' && kept !== null) begin(metricsChoice(choices, kept.metrics, kept.simulator));
    else if (preset !== undefined) begin(metricsChoice(choices, preset.metrics));
    else begin(configChoice(choices));
  };
  const fits = choices?.criteria.filter(({ fit }) => fit.cases > 0) ?? [];
  const [ready, lacking] = byReadiness(fits, needs, begun);
  const misfits = choices?.criteria.filter(({ fit }) => fit.cases === 0) ?? [];
  const lacks = metrics.some(({ metricName }) => {
    const { problems = [], unwritten = [] } = needs?.criteria[metricName] ?? {};
    return problems.length + unwritten.length > 0;
  });
  const judges = fits.some((one) => takes(one, 'judgeModelOptions') && chosen.criteria.get(one.name)?.on === true);
  const forms = (list: readonly CriterionChoice[]) =>
    list.map((one) => (
      <CriterionForm
        key={one.name}
        one={one}
        choice={chosen.criteria.get(one.name)}
        needs={needs?.criteria[one.name]}
        without={isLed ? ['stopSignal'] : []}
        change={(next) => change(one.name, next)}
        total={choices?.cases ?? 0}
      />
    ));
  return (
    <View
      title={`Run ${visible(set)}`}
      above={
        <>
          <a href={formatRoute({ view: 'app', app })}>{visible(app)}</a> /{' '}
          <a href={formatRoute({ view: 'set', app, set, search: '' })}>{visible(set)}</a>
        </>
      }
    >
      {choices === null && problem === undefined && <p class="note">Reading the criteria…</p>}
      {choices !== null && (
        <Slips.Provider value={report}>
          <form
            class="run-form"
            onSubmit={(event) => {
              event.preventDefault();
              void start();
            }}
          >
            <div>
              <ScopeField scope={scope} set={setScope} all={choices.cases} chosen={cases.length} last={last} />
              <fieldset>
                <legend>Criteria</legend>
                <Beginning choices={choices} from={from} hasLast={lastChoice(app, set) !== null} choose={chooseFrom} />
                {forms(ready)}
                {lacking.length > 0 && (
                  <details class="misfits">
                    <summary>
                      {count(
                        lacking.reduce((sum, { criteria }) => sum + criteria.length, 0),
                        'criterion',
                        'criteria',
                      )}{' '}
                      that cannot run here yet
                    </summary>
                    {lacking.map(({ problem: lack, criteria }) => (
                      <section key={lack} aria-label={lack}>
                        <p class="lack" dir="auto">
                          {lack}
                        </p>
                        {forms(criteria)}
                      </section>
                    ))}
                  </details>
                )}
                {misfits.length > 0 && (
                  <details class="misfits">
                    <summary>{count(misfits.length, 'criterion', 'criteria')} that no case of this set fits</summary>
                    {forms(misfits)}
                  </details>
                )}
              </fieldset>
              {isLed && (
                <SimulatorFields
                  choices={choices}
                  needs={needs}
                  value={chosen.simulator}
                  change={(simulator) => setChosen({ ...chosen, simulator })}
                />
              )}
            </div>
            <div class="run-side">
              <fieldset>
                <legend>How</legend>
                <VariantsForm app={app} ofConfig={choices.variants} value={variants} change={setVariants} />
                <NumberField
                  label="Repeats of each case"
                  value={repeats}
                  min={1}
                  max={choices.settings.repeats.most ?? undefined}
                  whole
                  required
                  change={(next) => setRepeats(next ?? 1)}
                />
                <NumberField
                  label="Sessions at once"
                  value={concurrency}
                  min={1}
                  max={choices.settings.concurrency.most ?? undefined}
                  whole
                  placeholder={String(choices.settings.concurrency.value)}
                  change={setConcurrency}
                />
                <Field
                  label="Judge model"
                  hint="Empty: as the config has it."
                  value={judgeModel}
                  change={setJudgeModel}
                />
                {judges && (
                  <NumberField
                    label="Samples of each judge"
                    hint="How often a judge is asked for one vote."
                    value={samples}
                    min={1}
                    whole
                    placeholder="as each criterion has it"
                    change={setSamples}
                  />
                )}
              </fieldset>
              <section class="estimate" aria-label="Estimate" aria-live="polite">
                {problem !== undefined && <p class="problem">{problem}</p>}
                {problem === undefined && estimate === null && <p class="note">Estimating…</p>}
                {estimate !== null && <RunEstimated estimate={estimate} />}
              </section>
              {theirs !== null && (
                <ConfigConflict
                  theirs={theirs}
                  takeTheirs={() => take(theirs)}
                  saveMine={() => void save(theirs.version)}
                />
              )}
              <div class="buttons">
                <button type="button" onClick={() => take(choices)}>
                  Reset
                </button>
                <button
                  type="button"
                  disabled={metrics.length === 0 || wrong > 0}
                  onClick={() => void save(choices.version)}
                >
                  Save for this set
                </button>
                <button
                  type="submit"
                  class="main"
                  disabled={busy || metrics.length === 0 || problem !== undefined || lacks || wrong > 0}
                >
                  {busy ? 'Starting…' : 'Run'}
                </button>
              </div>
              <p class="note">
                “Save for this set” writes criteria and simulated user to <code>test_config.json</code> beside it, which
                holds for every set of that folder.
              </p>
              {choices.notes.map((note) => (
                <p key={note} class="note">
                  {note}
                </p>
              ))}
            </div>
          </form>
        </Slips.Provider>
      )}
      {choices === null && problem !== undefined && <p class="problem">{problem}</p>}
    </View>
  );
}
