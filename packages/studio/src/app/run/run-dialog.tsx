import { count, visible } from '@agent-criteria/viewer/views';
import { useEffect, useState } from 'preact/hooks';
import type { CriterionChoice, NewRun, RunChoices, RunConfig, RunEstimate, RunNeeds, RunSummary } from '../../api.ts';
import { ask, messageOf, path } from '../api-client.ts';
import { Field } from '../field.tsx';
import { NumberField } from '../number-field.tsx';
import { OptionsForm } from '../options-form.tsx';
import { formatRoute, type Route } from '../route.ts';
import { SelectField } from '../select-field.tsx';
import { Slips, useSlips } from '../slips.ts';
import { writeKey } from '../spelling.ts';
import { complain, notify } from '../toasts.tsx';
import { View } from '../view.tsx';
import { CriterionForm } from './criterion-form.tsx';
import { keepLastChoice, lastChoice } from './last-choice.ts';
import { lastRun } from './last-run.ts';
import { type Choice, type Chosen, configChoice, metricsChoice, metricsOf, takes } from './run-choice.ts';
import { RunEstimated } from './run-estimate.tsx';
import { VariantsForm } from './variants-form.tsx';

type Scope = 'all' | 'chosen' | 'failed';

/** Milliseconds without a change after which the studio is asked again. */
const PAUSE = 300;

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
  const [wrong, report] = useSlips();
  const at = path('apps', app, 'sets', set);

  const begin = (next: Chosen) => {
    setChosen(next);
    setBegun(new Set([...next.criteria].flatMap(([name, { on }]) => (on ? [name] : []))));
  };
  const take = (next: RunChoices) => {
    setChoices(next);
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
  const save = async () => {
    try {
      const saved = await ask<RunChoices>('PUT', `${at}/config`, { body: { metrics, ...simulated } });
      take(saved);
      notify(`Saved in ${visible(saved.config ?? 'test_config.json')}, which the command reads, too.`);
    } catch (error) {
      complain(error);
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
              <fieldset class="scope">
                <legend>Cases</legend>
                <Radio
                  value="all"
                  scope={scope}
                  set={setScope}
                  label={choices.cases === 1 ? 'The only case' : `All ${count(choices.cases, 'case')}`}
                />
                <Radio
                  value="chosen"
                  scope={scope}
                  set={setScope}
                  disabled={cases.length === 0}
                  label={
                    cases.length === 0 ? 'Some: choose them in the set' : `The ${count(cases.length, 'chosen case')}`
                  }
                />
                <Radio
                  value="failed"
                  scope={scope}
                  set={setScope}
                  disabled={last === null}
                  label={
                    last === null
                      ? 'Failed: the set has not run yet'
                      : `Those that did not pass in the last run, ${last.id}`
                  }
                />
              </fieldset>
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
                <fieldset>
                  <legend>Simulated user</legend>
                  <p class="note">
                    Leads {count(choices.scenarios, 'scenario')}. Its stop signal holds for the criterion that judges
                    the user, too.
                  </p>
                  {needs?.run.problems.map((lack) => (
                    <p key={lack} class="lack" dir="auto">
                      <b>Cannot run yet:</b> {lack}
                    </p>
                  ))}
                  {needs !== null && needs.run.problems.length === 0 && needs.run.asks.length > 0 && (
                    <p class="note">Asks {needs.run.asks.map(visible).join('; ')}.</p>
                  )}
                  <SimulatorForm
                    choices={choices}
                    value={chosen.simulator}
                    change={(simulator) => setChosen({ ...chosen, simulator })}
                  />
                </fieldset>
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
              <div class="buttons">
                <button type="button" onClick={() => take(choices)}>
                  Reset
                </button>
                <button type="button" disabled={metrics.length === 0 || wrong > 0} onClick={() => void save()}>
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
            </div>
          </form>
        </Slips.Provider>
      )}
      {choices === null && problem !== undefined && <p class="problem">{problem}</p>}
    </View>
  );
}

/** Where the choice of criteria begins. */
function Beginning(props: {
  readonly choices: RunChoices;
  readonly from: string;
  readonly hasLast: boolean;
  choose(from: string): void;
}) {
  const { choices, from } = props;
  const { config, presets } = choices;
  const preset = presets.find(({ name }) => name === from);
  const hint =
    preset?.description ??
    (from === 'last'
      ? 'What you ran this set with last, in this browser.'
      : config === null
        ? 'No config judges this set yet.'
        : 'What the command judges this set by.');
  return (
    <>
      <SelectField<string>
        label="Begin with"
        hint={hint}
        value={from}
        choices={{
          config: config === null ? 'ADK’s defaults' : `The config: ${visible(config)}`,
          ...(props.hasLast ? { last: 'Your last choice' } : {}),
          ...Object.fromEntries(presets.map(({ name }) => [name, `Preset: ${name}`])),
        }}
        change={props.choose}
      />
      {preset?.missing.map(({ name, install }) => (
        <p key={name} class="lack">
          <b>{visible(name)}</b> is not installed: <code>{install}</code>
        </p>
      ))}
    </>
  );
}

function SimulatorForm(props: {
  readonly choices: RunChoices;
  readonly value: Chosen['simulator'];
  change(value: Chosen['simulator']): void;
}) {
  const { choices, value, change } = props;
  const types = choices.simulators.map(({ type }) => type);
  const type = typeof value.type === 'string' ? value.type : 'llm_backed';
  const found = choices.simulators.find((one) => one.type === type);
  return (
    <>
      {types.length > 1 && (
        <SelectField<string>
          label="Type"
          value={type}
          choices={Object.fromEntries(types.map((one) => [one, visible(one)]))}
          change={(next) => change(writeKey({}, 'type', next))}
        />
      )}
      {found !== undefined && <OptionsForm schema={found.schema} value={value} change={change} />}
    </>
  );
}

function Radio(props: {
  readonly value: Scope;
  readonly scope: Scope;
  readonly label: string;
  readonly disabled?: boolean;
  set(scope: Scope): void;
}) {
  return (
    <label class="switch">
      <input
        type="radio"
        name="scope"
        checked={props.scope === props.value}
        disabled={props.disabled}
        onChange={() => props.set(props.value)}
      />
      {props.label}
    </label>
  );
}

interface Lacking {
  readonly problem: string;
  readonly criteria: readonly CriterionChoice[];
}

/** Criteria that can run here or were on, and the others by what they lack. */
function byReadiness(
  fits: readonly CriterionChoice[],
  needs: RunNeeds | null,
  begun: ReadonlySet<string>,
): readonly [readonly CriterionChoice[], readonly Lacking[]] {
  const lacking = new Map<string, CriterionChoice[]>();
  const ready = fits.filter((one) => {
    const problem = needs?.criteria[one.name]?.problems.join('\n') ?? '';
    if (problem === '' || begun.has(one.name)) return true;
    lacking.set(problem, [...(lacking.get(problem) ?? []), one]);
    return false;
  });
  return [ready, [...lacking].map(([problem, criteria]) => ({ problem, criteria }))];
}

/** Does something after a short pause in changes. @returns Cancels it. */
function later(work: (signal: AbortSignal) => Promise<void>): () => void {
  const stop = new AbortController();
  const timer = setTimeout(() => void work(stop.signal), PAUSE);
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}
