import { count, visible } from '@agent-criteria/viewer/views';
import type { CriterionChoice, RunChoices } from '../../api.ts';
import { Button } from '../button.tsx';
import { Field } from '../field.tsx';
import { FormErrors } from '../form-errors.ts';
import { NumberField } from '../number-field.tsx';
import { SetPath, View } from '../view.tsx';
import { ConfigConflict } from './config-conflict.tsx';
import { CriterionForm } from './criterion-form.tsx';
import { lastChoice } from './last-choice.ts';
import { PresetField } from './preset-field.tsx';
import { RunEstimated } from './run-estimate.tsx';
import { ScopeField } from './scope-field.tsx';
import { SimulatorFields } from './simulator-fields.tsx';
import { type RunDialogRoute, useRunDraft } from './use-run-draft.ts';
import { VariantsForm } from './variants-form.tsx';

type RunDraft = ReturnType<typeof useRunDraft>;

/** The choices before a run. */
export function RunDialog({ route }: { readonly route: RunDialogRoute }) {
  const { app, set, cases } = route;
  const draft = useRunDraft(route);
  const { choices, chosen, estimate, problem, theirs } = draft;
  return (
    <View title={`Run ${visible(set)}`} above={<SetPath app={app} set={set} />}>
      {choices === null && problem === undefined && <p class="note">Reading the criteria…</p>}
      {choices !== null && (
        <FormErrors.Provider value={draft.report}>
          <form
            class="run-form"
            onSubmit={(event) => {
              event.preventDefault();
              void draft.start();
            }}
          >
            <div>
              <ScopeField
                scope={draft.scope}
                set={draft.setScope}
                all={choices.cases}
                chosen={cases.length}
                last={draft.last}
              />
              <fieldset>
                <legend>Criteria</legend>
                <PresetField
                  choices={choices}
                  from={draft.from}
                  hasLast={lastChoice(app, set) !== null}
                  choose={draft.chooseFrom}
                />
                <Criteria draft={draft} />
              </fieldset>
              {draft.isLed && (
                <SimulatorFields
                  choices={choices}
                  needs={draft.needs}
                  value={chosen.simulator}
                  change={(simulator) => draft.setChosen({ ...chosen, simulator })}
                />
              )}
            </div>
            <div class="run-side">
              <HowFields app={app} choices={choices} draft={draft} />
              <section class="estimate" aria-label="Estimate" aria-live="polite">
                {problem !== undefined && <p class="problem">{problem}</p>}
                {problem === undefined && estimate === null && <p class="note">Estimating…</p>}
                {estimate !== null && <RunEstimated estimate={estimate} />}
              </section>
              {theirs !== null && (
                <ConfigConflict
                  theirs={theirs}
                  takeTheirs={() => draft.take(theirs)}
                  saveMine={() => void draft.save(theirs.version)}
                />
              )}
              <div class="buttons">
                <Button text="Reset" onClick={() => draft.take(choices)} />
                <Button
                  text="Save for this set"
                  disabled={!draft.canSave}
                  onClick={() => void draft.save(choices.version)}
                />
                <button type="submit" class="main" disabled={!draft.canStart}>
                  {draft.busy ? 'Starting…' : 'Run'}
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
        </FormErrors.Provider>
      )}
      {choices === null && problem !== undefined && <p class="problem">{problem}</p>}
    </View>
  );
}

function Criteria({ draft }: { readonly draft: RunDraft }) {
  const { choices, chosen, needs, isLed, ready, lacking, misfits, change } = draft;
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
    <>
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
    </>
  );
}

function HowFields(props: { readonly app: string; readonly choices: RunChoices; readonly draft: RunDraft }) {
  const { app, choices, draft } = props;
  return (
    <fieldset>
      <legend>How</legend>
      <VariantsForm app={app} ofConfig={choices.variants} value={draft.variants} change={draft.setVariants} />
      <NumberField
        label="Repeats of each case"
        value={draft.repeats}
        min={1}
        max={choices.settings.repeats.most ?? undefined}
        whole
        required
        change={(next) => draft.setRepeats(next ?? 1)}
      />
      <NumberField
        label="Sessions at once"
        value={draft.concurrency}
        min={1}
        max={choices.settings.concurrency.most ?? undefined}
        whole
        placeholder={String(choices.settings.concurrency.value)}
        change={draft.setConcurrency}
      />
      <Field
        label="Judge model"
        hint="Empty: as the config has it."
        value={draft.judgeModel}
        change={draft.setJudgeModel}
      />
      {draft.judges && (
        <NumberField
          label="Samples of each judge"
          hint="How often a judge is asked for one vote."
          value={draft.samples}
          min={1}
          whole
          placeholder="as each criterion has it"
          change={draft.setSamples}
        />
      )}
    </fieldset>
  );
}
