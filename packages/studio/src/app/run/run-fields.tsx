import { count, visible } from '@agent-criteria/viewer/views';
import type { RunChoices } from '../../api.ts';
import { Button } from '../button.tsx';
import { Field, NumberField, Radio, SelectField } from '../field.tsx';
import { OptionsForm } from '../options-form.tsx';
import { writeKey } from '../spelling.ts';
import type { HowToRun, RunDraft } from './use-run-draft.ts';
import { VariantsForm } from './variants-form.tsx';

interface DraftProps {
  readonly draft: RunDraft;
  readonly choices: RunChoices;
}

/** Chooses the cases to run. @param chosen Number of cases that were selected in the set. */
export function ScopeField({ draft, choices, chosen }: DraftProps & { readonly chosen: number }) {
  const { how, last } = draft;
  const radio = (scope: HowToRun['scope'], label: string, disabled = false) => (
    <Radio name="scope" checked={how.scope === scope} disabled={disabled} choose={() => draft.set({ scope })}>
      {label}
    </Radio>
  );
  return (
    <fieldset class="scope">
      <legend>Cases</legend>
      {radio('all', choices.cases === 1 ? 'The only case' : `All ${count(choices.cases, 'case')}`)}
      {radio(
        'chosen',
        chosen === 0 ? 'Some: choose them in the set' : `The ${count(chosen, 'chosen case')}`,
        chosen === 0,
      )}
      {radio(
        'failed',
        last === null ? 'Failed: the set has not run yet' : `Those that did not pass in the last run, ${last.id}`,
        last === null,
      )}
    </fieldset>
  );
}

/** Chooses the criteria to start from: those of the config, the last choice or a preset. */
export function PresetField({ draft, choices, hasLast }: DraftProps & { readonly hasLast: boolean }) {
  const { config, presets } = choices;
  const preset = presets.find(({ name }) => name === draft.from);
  const hint =
    preset?.description ??
    (draft.from === 'last'
      ? 'What you ran this set with last, in this browser.'
      : config === null
        ? 'No config judges this set yet.'
        : 'What the command judges this set by.');
  return (
    <>
      <SelectField<string>
        label="Criteria from"
        hint={hint}
        value={draft.from}
        choices={{
          config: config === null ? 'ADK’s defaults' : `The config: ${visible(config)}`,
          ...(hasLast ? { last: 'Your last choice' } : {}),
          ...Object.fromEntries(presets.map(({ name }) => [name, `Preset: ${name}`])),
        }}
        change={draft.chooseFrom}
      />
      {preset?.missing.map(({ name, install }) => (
        <p key={name} class="lack">
          <b>{visible(name)}</b> is not installed: <code>{install}</code>
        </p>
      ))}
    </>
  );
}

/** Edits the simulated user and shows its needs. */
export function SimulatorFields({ draft, choices }: DraftProps) {
  const { needs, chosen } = draft;
  const { simulator } = chosen;
  const type = typeof simulator.type === 'string' ? simulator.type : 'llm_backed';
  const found = choices.simulators.find((one) => one.type === type);
  const change = (next: typeof simulator) => draft.setChosen({ ...chosen, simulator: next });
  return (
    <fieldset>
      <legend>Simulated user</legend>
      <p class="note">
        Leads {count(choices.scenarios, 'scenario')}. Its stop signal holds for the criterion that judges the user, too.
      </p>
      {needs !== null && <Lacks lacks={needs.run.problems} />}
      {needs !== null && needs.run.problems.length === 0 && needs.run.asks.length > 0 && (
        <p class="note">Asks {needs.run.asks.map(visible).join('; ')}.</p>
      )}
      {choices.simulators.length > 1 && (
        <SelectField<string>
          label="Type"
          value={type}
          choices={Object.fromEntries(choices.simulators.map((one) => [one.type, visible(one.type)]))}
          change={(next) => change(writeKey({}, 'type', next))}
        />
      )}
      {found !== undefined && <OptionsForm schema={found.schema} value={simulator} change={change} />}
    </fieldset>
  );
}

/** Lists the problems that prevent a run. */
export function Lacks({ lacks }: { readonly lacks: readonly string[] }) {
  return (
    <>
      {lacks.map((lack) => (
        <p key={lack} class="lack" dir="auto">
          <b>Cannot run yet:</b> {lack}
        </p>
      ))}
    </>
  );
}

export function HowFields({ draft, choices, app }: DraftProps & { readonly app: string }) {
  const { how, set } = draft;
  const { repeats, concurrency } = choices.settings;
  return (
    <fieldset>
      <legend>Run settings</legend>
      <VariantsForm app={app} ofConfig={choices.variants} value={how} change={set} />
      <NumberField
        label="Repeats of each case"
        value={how.repeats}
        min={1}
        max={repeats.most ?? undefined}
        whole
        required
        change={(next = 1) => set({ repeats: next })}
      />
      <NumberField
        label="Sessions at once"
        value={how.concurrency}
        min={1}
        max={concurrency.most ?? undefined}
        whole
        placeholder={String(concurrency.value)}
        change={(next) => set({ concurrency: next })}
      />
      <Field
        label="Judge model"
        hint="Empty: as the config has it."
        value={how.judgeModel}
        change={(judgeModel) => set({ judgeModel })}
      />
      {draft.judges && (
        <NumberField
          label="Samples of each judge"
          hint="How often a judge is asked for one vote."
          value={how.samples}
          min={1}
          whole
          placeholder="as each criterion has it"
          change={(samples) => set({ samples })}
        />
      )}
    </fieldset>
  );
}

/** Shows a conflict between two versions of a config, either of which can be kept. */
export function ConfigConflict({ draft, theirs }: { readonly draft: RunDraft; readonly theirs: RunChoices }) {
  const chosen = theirs.criteria.flatMap(({ name, range, chosen: one }) => {
    if (one === null) return [];
    if (one.threshold === null) return [`${name} (measured)`];
    return [`${name} ${range.better === 'lower' ? '≤' : '≥'} ${one.threshold}`];
  });
  return (
    <section class="banner error" role="alert" aria-label="Two versions of the config">
      <p>
        <b>{visible(theirs.config ?? 'test_config.json')} was changed elsewhere</b> since you opened this page. Nothing
        was saved, and your choices are still here. It now has: <bdi>{visible(chosen.join(', ') || 'no criteria')}</bdi>
      </p>
      <div class="buttons">
        <Button text="Take theirs" onClick={() => draft.take(theirs)} />
        <Button text="Save mine over theirs" class="danger" onClick={() => void draft.save(theirs.version)} />
      </div>
    </section>
  );
}
