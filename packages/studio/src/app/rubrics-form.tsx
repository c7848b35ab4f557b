import { isObject } from '@agent-criteria/formats';
import { fieldOf } from '@agent-criteria/formats/schema';
import { Entries } from './entries.tsx';
import { Field } from './field.tsx';
import { type Fields, listOf, writeKey } from './spelling.ts';

/** Edits the rubrics of a turn, a case or a criterion. */
export function RubricsForm(props: {
  readonly title: string;
  readonly note?: string | undefined;
  readonly level?: 2 | 3 | 4;
  readonly value: unknown;
  /** Key spelling used for new rubrics. */
  readonly spelling: 'snake' | 'camel';
  /** Receives `undefined` if no rubric is left. */
  change(value: Fields[] | undefined): void;
}) {
  const rubrics = listOf(props.value);
  const put = (place: number, next: Fields) => props.change(rubrics.with(place, next));
  return (
    <Entries
      title={props.title}
      note={props.note}
      level={props.level ?? 3}
      items={rubrics}
      one="rubric"
      add="Add a rubric"
      append={() => props.change([...rubrics, newRubric(rubrics, props.spelling)])}
      remove={(_, place) => {
        const left = rubrics.toSpliced(place, 1);
        props.change(left.length === 0 ? undefined : left);
      }}
      entry={(rubric, place) => {
        const content = fieldOf(rubric, 'rubric_content');
        const text = isObject(content) ? fieldOf(content, 'text_property') : undefined;
        return (
          <>
            <Field
              label="What must be true"
              lines={2}
              value={textOf(text)}
              change={(next) => {
                const changed = writeKey(isObject(content) ? content : {}, 'text_property', next);
                put(place, writeKey(rubric, 'rubric_content', changed));
              }}
            />
            <div class="options">
              <Field
                label="Id"
                value={textOf(fieldOf(rubric, 'rubric_id'))}
                change={(next) => put(place, writeKey(rubric, 'rubric_id', next))}
              />
              <Field
                label="Type"
                list={TYPES}
                value={textOf(rubric.type)}
                change={(next) => put(place, writeKey(rubric, 'type', next === '' ? undefined : next))}
              />
            </div>
          </>
        );
      }}
    />
  );
}

/** ADK's rubric types; others are allowed. */
const TYPES = ['FINAL_RESPONSE_QUALITY', 'TOOL_USE_QUALITY', 'INSTRUCTION_ADHERENCE'];

function newRubric(rubrics: readonly Fields[], spelling: 'snake' | 'camel'): Fields {
  const ids = rubrics.map((rubric) => fieldOf(rubric, 'rubric_id'));
  let place = rubrics.length + 1;
  while (ids.includes(`rubric_${place}`)) place += 1;
  const id = `rubric_${place}`;
  return spelling === 'snake'
    ? { rubric_id: id, rubric_content: { text_property: '' } }
    : { rubricId: id, rubricContent: { textProperty: '' } };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
