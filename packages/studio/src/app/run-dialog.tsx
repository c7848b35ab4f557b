import { count, visible } from '@agent-criteria/viewer/views';
import { useEffect, useId, useState } from 'preact/hooks';
import type { AskedMetric, CriterionChoice, NewRun, RunChoices, RunEstimate, RunPage, RunSummary } from '../api.ts';
import { ask, messageOf, path } from './api-client.ts';
import { Field } from './field.tsx';
import { OptionsForm } from './options-form.tsx';
import { formatRoute, type Route } from './route.ts';
import { complain, notify } from './toasts.tsx';
import { View } from './view.tsx';

interface Choice {
  readonly on: boolean;
  readonly threshold: number | null;
  readonly options: Readonly<Record<string, unknown>>;
}

type Scope = 'all' | 'chosen' | 'failed';

/** What is chosen before a run. */
export function RunDialog({ route }: { readonly route: Extract<Route, { view: 'run-dialog' }> }) {
  const { app, set, cases } = route;
  const [choices, setChoices] = useState<RunChoices | null>(null);
  const [chosen, setChosen] = useState<ReadonlyMap<string, Choice>>(new Map());
  const [scope, setScope] = useState<Scope>(cases.length > 0 ? 'chosen' : 'all');
  const [last, setLast] = useState<RunSummary | null>(null);
  const [judgeModel, setJudgeModel] = useState('');
  const [repeats, setRepeats] = useState(1);
  const [estimate, setEstimate] = useState<RunEstimate | null>(null);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const at = path('apps', app, 'sets', set);

  const take = (next: RunChoices) => {
    setChoices(next);
    setJudgeModel(next.judgeModel ?? '');
    setChosen(new Map(next.criteria.map((one) => [one.name, choiceOf(one)])));
  };
  useEffect(() => {
    setChoices(null);
    ask<RunChoices>('GET', `${at}/criteria`).then(take, (error) => setProblem(messageOf(error)));
    ask<RunPage>('GET', `/runs?${new URLSearchParams({ app, limit: '20' })}`).then(
      ({ runs }) => setLast(runs.find(({ sets, state }) => sets.includes(set) && state === 'finished') ?? null),
      () => undefined,
    );
  }, [at]);

  const metrics = [...chosen].flatMap(([metricName, { on, threshold, options }]): AskedMetric[] =>
    on ? [{ metricName, threshold, ...(Object.keys(options).length === 0 ? {} : { criterion: options }) }] : [],
  );
  const request: NewRun = {
    app,
    sets: [set],
    repeats,
    metrics,
    ...(judgeModel.trim() === '' ? {} : { judgeModel: judgeModel.trim() }),
    ...(scope === 'chosen' ? { cases } : {}),
    ...(scope === 'failed' && last !== null ? { failedIn: last.id } : {}),
  };
  const key = JSON.stringify(request);
  useEffect(() => {
    setEstimate(null);
    if (choices === null) return;
    if (metrics.length === 0) return setProblem('Choose at least one criterion.');
    const stop = new AbortController();
    // When somebody pauses.
    const timer = setTimeout(() => {
      ask<RunEstimate>('POST', '/estimate', { body: request, signal: stop.signal }).then(
        (found) => {
          setEstimate(found);
          setProblem(undefined);
        },
        (error) => {
          if (!stop.signal.aborted) setProblem(messageOf(error));
        },
      );
    }, 300);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [key, choices === null]);

  const start = async () => {
    setBusy(true);
    try {
      const { id } = await ask<{ readonly id: string }>('POST', '/runs', { body: request });
      location.hash = `${formatRoute({ view: 'run', run: id, opens: false })}/`;
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const save = async () => {
    try {
      const saved = await ask<RunChoices>('PUT', `${at}/config`, { body: { metrics } });
      take(saved);
      notify(`Saved in ${visible(saved.config ?? 'test_config.json')}, which the command reads, too.`);
    } catch (error) {
      complain(error);
    }
  };
  const change = (name: string, next: Partial<Choice>) => {
    const before = chosen.get(name);
    if (before !== undefined) setChosen(new Map([...chosen, [name, { ...before, ...next }]]));
  };
  const fits = choices?.criteria.filter(({ fit }) => fit.cases > 0) ?? [];
  const misfits = choices?.criteria.filter(({ fit }) => fit.cases === 0) ?? [];
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
        <form
          class="run-form"
          onSubmit={(event) => {
            event.preventDefault();
            void start();
          }}
        >
          <fieldset class="scope">
            <legend>Cases</legend>
            <Radio value="all" scope={scope} set={setScope} label={`All ${count(choices.cases, 'case')}`} />
            <Radio
              value="chosen"
              scope={scope}
              set={setScope}
              disabled={cases.length === 0}
              label={cases.length === 0 ? 'Some: choose them in the set' : `The ${count(cases.length, 'chosen case')}`}
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
            <p class="note">
              {choices.config === null
                ? 'There is no config beside the set: ADK’s defaults are chosen.'
                : `As ${visible(choices.config)} beside the set has them.`}
            </p>
            {fits.map((one) => (
              <CriterionForm
                key={one.name}
                one={one}
                choice={chosen.get(one.name)}
                change={(next) => change(one.name, next)}
                total={choices.cases}
              />
            ))}
            {misfits.length > 0 && (
              <details class="misfits">
                <summary>{count(misfits.length, 'criterion', 'criteria')} that no case of this set fits</summary>
                {misfits.map((one) => (
                  <CriterionForm
                    key={one.name}
                    one={one}
                    choice={chosen.get(one.name)}
                    change={(next) => change(one.name, next)}
                    total={choices.cases}
                  />
                ))}
              </details>
            )}
          </fieldset>
          <fieldset class="settings">
            <legend>How</legend>
            <Field
              label="Judge model"
              hint="For criteria that ask a model. Empty: as the config has it."
              value={judgeModel}
              change={setJudgeModel}
            />
            <NumberField label="Repeats of each case" value={repeats} min={1} max={100} change={setRepeats} />
          </fieldset>
          <section class="estimate" aria-label="Estimate" aria-live="polite">
            {problem !== undefined && <p class="problem">{problem}</p>}
            {estimate !== null && <Estimated estimate={estimate} />}
          </section>
          <div class="buttons">
            <button type="button" onClick={() => take(choices)}>
              Reset
            </button>
            <button type="button" disabled={metrics.length === 0} onClick={() => void save()}>
              Save for this set
            </button>
            <button type="submit" class="main" disabled={busy || metrics.length === 0 || problem !== undefined}>
              {busy ? 'Starting…' : 'Run'}
            </button>
          </div>
          <p class="note">
            “Save for this set” writes the criteria to <code>test_config.json</code> beside it, which holds for every
            set of that folder.
          </p>
        </form>
      )}
      {choices === null && problem !== undefined && <p class="problem">{problem}</p>}
    </View>
  );
}

function CriterionForm(props: {
  readonly one: CriterionChoice;
  readonly choice: Choice | undefined;
  readonly total: number;
  change(next: Partial<Choice>): void;
}) {
  const id = useId();
  const { one, choice, total, change } = props;
  const { fit, range, schema } = one;
  if (choice === undefined) return null;
  const unfit = fit.cases === 0;
  const hasOptions = Object.keys((schema.properties as object | undefined) ?? {}).length > 0;
  return (
    <div class={`choice${choice.on ? ' on' : ''}`}>
      <div class="choice-head">
        <input
          id={id}
          type="checkbox"
          checked={choice.on}
          disabled={unfit && !choice.on}
          aria-describedby={`${id}-about`}
          onChange={(event) => change({ on: event.currentTarget.checked })}
        />
        <label for={id}>
          <b>{visible(one.name)}</b>
        </label>
        {one.judged && <small class="tag">asks a model</small>}
        {choice.on && one.decides && (
          <Threshold
            name={one.name}
            range={range}
            value={choice.threshold}
            change={(threshold) => change({ threshold })}
          />
        )}
      </div>
      <p id={`${id}-about`} class="note">
        {one.description}
        {fit.reason !== null && (
          <span class="misfit">
            {' '}
            {unfit ? 'Fits no case' : `Fits ${fit.cases} of ${total}`}: {fit.reason}.
          </span>
        )}
      </p>
      {choice.on && hasOptions && (
        <details>
          <summary>Options</summary>
          <OptionsForm schema={schema} value={choice.options} change={(options) => change({ options })} />
        </details>
      )}
    </div>
  );
}

function Threshold(props: {
  readonly name: string;
  readonly range: CriterionChoice['range'];
  readonly value: number | null;
  change(value: number | null): void;
}) {
  const { name, range, value, change } = props;
  const label = `${range.better === 'higher' ? 'At least' : 'At most'}`;
  return (
    <span class="threshold">
      <span aria-hidden="true">{label}</span>
      {range.max !== null && (
        <input
          type="range"
          aria-label={`Threshold of ${visible(name)}, slider`}
          min={range.min}
          max={range.max}
          step={(range.max - range.min) / 100}
          value={value ?? range.min}
          onInput={(event) => change(event.currentTarget.valueAsNumber)}
        />
      )}
      <input
        type="number"
        aria-label={`Threshold of ${visible(name)}`}
        min={range.min}
        max={range.max ?? undefined}
        step="any"
        required
        value={value ?? ''}
        onInput={(event) => change(event.currentTarget.value === '' ? null : event.currentTarget.valueAsNumber)}
      />
    </span>
  );
}

function Estimated({ estimate }: { readonly estimate: RunEstimate }) {
  const { cases, repeats, total, rows, warnings } = estimate;
  const { calls, cost } = total;
  const span = ({ min, max }: { readonly min: number; readonly max: number }, digits = 0) =>
    min === max
      ? min.toLocaleString('en', { maximumFractionDigits: digits })
      : `${min.toLocaleString('en', { maximumFractionDigits: digits })} to ${max.toLocaleString('en', { maximumFractionDigits: digits })}`;
  return (
    <>
      <p>
        <b>{count(cases, 'case')}</b>
        {repeats > 1 && `, ${repeats} times each`}.{' '}
        {calls === null
          ? 'How many calls the judges make is unknown.'
          : calls.max === 0
            ? 'No judge is asked.'
            : `${span(calls)} calls to judges${cost === null ? '; what they cost is unknown without prices' : `, for ${span(cost, 4)}`}.`}
      </p>
      {rows.some((row) => row.calls === null || row.calls.max > 0) && (
        <ul>
          {rows
            .filter((row) => row.calls === null || row.calls.max > 0)
            .map((row) => (
              <li key={`${row.set} ${row.criterion}`}>
                {visible(row.criterion)}: {row.calls === null ? 'unknown' : `${span(row.calls)} calls`}{' '}
                <small>{row.models.map(visible).join(', ')}</small>
              </li>
            ))}
        </ul>
      )}
      {warnings.slice(0, 5).map((warning) => (
        <p key={warning} class="warning">
          {warning}
        </p>
      ))}
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

function NumberField(props: {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  change(value: number): void;
}) {
  const id = useId();
  return (
    <p class="field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        type="number"
        min={props.min}
        max={props.max}
        step={1}
        required
        value={props.value}
        onInput={({ currentTarget }) => {
          if (currentTarget.validity.valid) props.change(currentTarget.valueAsNumber);
        }}
      />
    </p>
  );
}

function choiceOf({ chosen, default: byDefault, decides, range, fit }: CriterionChoice): Choice {
  const middle = range.max === null ? range.min : range.min + (range.max - range.min) * 0.8;
  const threshold = decides ? (chosen?.threshold ?? byDefault ?? Math.round(middle * 100) / 100) : null;
  return { on: chosen !== null && fit.cases > 0, threshold, options: chosen?.options ?? {} };
}
