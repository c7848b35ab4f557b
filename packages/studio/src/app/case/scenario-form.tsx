import type { ConversationScenario, UserPersona } from '@agent-criteria/core';
import { Field, JsonField, SelectField } from '../field.tsx';

const KINDS = { none: 'None', id: 'One that is known by its id', own: 'Written here' };

export function ScenarioForm(props: {
  readonly scenario: ConversationScenario;
  change(field: string, scenario: ConversationScenario): void;
}) {
  const { scenario, change } = props;
  const { userPersona: persona } = scenario;
  const kind = persona === null || persona === undefined ? 'none' : typeof persona === 'string' ? 'id' : 'own';
  const own = (next: Partial<UserPersona>) =>
    change('persona', { ...scenario, userPersona: { ...(persona as UserPersona), ...next } });
  return (
    <section class="card">
      <h2>Scenario</h2>
      <Field
        label="Starting prompt"
        hint="The first message, sent unchanged."
        lines={2}
        value={scenario.startingPrompt}
        change={(startingPrompt) => change('prompt', { ...scenario, startingPrompt })}
      />
      <Field
        label="Plan"
        hint="What the user does after that, in prose."
        lines={5}
        value={scenario.conversationPlan}
        change={(conversationPlan) => change('plan', { ...scenario, conversationPlan })}
      />
      <div class="options">
        <SelectField
          label="Persona"
          value={kind}
          choices={KINDS}
          change={(next) => {
            const { userPersona: _, ...others } = scenario;
            const fresh = next === 'id' ? '' : { id: 'mine', description: '', behaviors: [] };
            change('', next === 'none' ? others : { ...others, userPersona: fresh });
          }}
        />
        {typeof persona === 'string' && (
          <Field
            label="Id of the persona"
            hint="One that comes with the simulated user: NOVICE, EXPERT, EVALUATOR."
            value={persona}
            change={(id) => change('persona', { ...scenario, userPersona: id })}
          />
        )}
        {typeof persona === 'object' && persona !== null && (
          <Field label="Id of the persona" value={persona.id} change={(id) => own({ id })} />
        )}
      </div>
      {typeof persona === 'object' && persona !== null && (
        <>
          <Field
            label="Who the user is"
            lines={2}
            value={persona.description}
            change={(description) => own({ description })}
          />
          <JsonField
            label="Habits"
            hint="Each with name, description, behaviorInstructions and violationRubrics"
            kind="list"
            value={persona.behaviors}
            change={(behaviors) => own({ behaviors: (behaviors ?? []) as UserPersona['behaviors'] })}
          />
        </>
      )}
    </section>
  );
}
