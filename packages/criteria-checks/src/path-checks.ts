import {
  defineCriterion,
  didYouMean,
  type OptionsSchema,
  optionsSchema,
  type Score,
  type Transcript,
  toolSteps,
} from '@agent-criteria/core';
import { brief } from '@agent-criteria/values';
import { checked, each, type Finding, scoreOf, texts, times } from './check.ts';
import { origin } from './origin.ts';

/** The options of `path_checks`. */
export interface PathChecks {
  /** Nodes of a workflow that must run in this order. Others may run before, between and after them. */
  readonly nodes?: string | readonly string[] | undefined;
  readonly neverNodes?: string | readonly string[] | undefined;
  readonly skills?: string | readonly string[] | undefined;
  readonly neverSkills?: string | readonly string[] | undefined;
}

const options: OptionsSchema<PathChecks, PathChecks> = optionsSchema(
  {
    type: 'object',
    properties: {
      nodes: texts(
        'These nodes of a workflow run, in this order, whatever runs between them: each by its name, or by its path, such as "flow.classify".',
      ),
      neverNodes: texts('This node of a workflow does not run, nor any of these.'),
      skills: texts('This skill is loaded, or each of these, at least once in the conversation.'),
      neverSkills: texts('This skill is not loaded, nor any of these.'),
    },
  },
  {
    check: ({ nodes = [], neverNodes = [], skills = [], neverSkills = [] }) => [
      ...contradictions('nodes', nodes, neverNodes),
      ...contradictions('skills', skills, neverSkills),
    ],
  },
);

type Texts = string | readonly string[];

function contradictions(key: string, wanted: Texts, refused: Texts) {
  const both = [wanted].flat().filter((name) => [refused].flat().includes(name));
  return both.map((name) => ({
    path: [key],
    message: `${brief(name)} is both required and forbidden: remove one of the two`,
  }));
}

/** `path_checks`: the share of checks that hold for the nodes that a workflow ran and the skills that agents loaded. */
export const pathChecks = defineCriterion({
  name: 'path_checks',
  origin,
  description: 'The workflow takes its path: the nodes that run, and their order; and the right skills are loaded.',
  range: { min: 0, max: 1, better: 'higher' },
  options,
  unmetNeed: (_case, checks) =>
    Object.values(checks).some((check) => check !== undefined)
      ? null
      : 'neither the config nor the case says what to check, such as "nodes"',
  readsAnswer: false,
  scope: 'conversation',
  evaluate(transcript, { options: { nodes, neverNodes, skills, neverSkills } }): Score {
    const ran = nodesOf(transcript);
    const loaded = skillsOf(transcript);
    const parts = [
      ...inOrder(each('nodes', nodes), ran),
      ...each('never_nodes', neverNodes).map(([id, name]) =>
        checked(
          id,
          `never runs the node ${name}`,
          neverFinding(
            'node',
            name,
            ran?.filter((path) => isNode(path, name)),
          ),
        ),
      ),
      ...each('skills', skills).map(([id, name]) =>
        checked(
          id,
          `loads the skill ${name}`,
          loaded.includes(name)
            ? { holds: true }
            : missing(`the skill ${name} was never loaded${didYouMean(name, loaded)}`, `a load of ${name}`, loaded),
        ),
      ),
      ...each('never_skills', neverSkills).map(([id, name]) =>
        checked(
          id,
          `never loads the skill ${name}`,
          neverFinding(
            'skill',
            name,
            loaded.filter((one) => one === name),
          ),
        ),
      ),
    ];
    return scoreOf(parts, 'nothing is checked');
  },
});

/** Returns the paths of the nodes that ran, in order, or `null` if the agent reports none. */
function nodesOf({ inference, turns }: Transcript): readonly string[] | null {
  const judged = new Set(turns.flatMap(({ index, isHistory }) => (isHistory === true ? [] : [index])));
  const paths = (inference.trace ?? []).flatMap(({ kind, name, turn }) =>
    kind === 'node' && judged.has(turn) ? [name] : [],
  );
  return paths.length === 0 ? null : paths;
}

/** Whether a path is that of a node with this name or path. */
function isNode(path: string, name: string): boolean {
  return path === name || path.endsWith(`.${name}`);
}

/** The tool with which agents of ADK load a skill, by its name. */
const LOAD_SKILL = 'load_skill';

/** Lists the skills that were loaded, in order. A load that failed is none. */
function skillsOf({ turns }: Transcript): readonly string[] {
  return turns
    .filter(({ isHistory }) => isHistory !== true)
    .flatMap(({ actual }) =>
      toolSteps(actual).flatMap(({ call, response }) => {
        const name = call.name === LOAD_SKILL ? call.args?.name : undefined;
        const failed = response?.response?.error !== undefined;
        return typeof name === 'string' && !failed ? [name] : [];
      }),
    );
}

/** Checks that nodes ran in this order, each after the one before it. */
function inOrder(wanted: readonly (readonly [id: string, name: string])[], ran: readonly string[] | null) {
  let from = 0;
  return wanted.map(([id, name], index) => {
    const text = index === 0 ? `runs the node ${name}` : `then runs the node ${name}`;
    if (ran === null) return checked(id, text, UNKNOWN);
    const found = ran.findIndex((path, place) => place >= from && isNode(path, name));
    if (found >= 0) {
      from = found + 1;
      return checked(id, text, { holds: true });
    }
    const earlier = ran.some((path) => isNode(path, name));
    const why = earlier
      ? `the node ${name} ran only earlier than that`
      : `the node ${name} never ran${didYouMean(name, ran)}`;
    return checked(id, text, missing(why, `a run of ${name}`, ran));
  });
}

const UNKNOWN: Finding = {
  holds: null,
  reason: 'the agent reports no nodes of a workflow, so its path is unknown',
};

function neverFinding(what: string, name: string, found: readonly string[] | undefined): Finding {
  if (found === undefined) return UNKNOWN;
  if (found.length === 0) return { holds: true };
  const often = times(found.length);
  const reason = what === 'node' ? `the node ${name} ran ${often}` : `the skill ${name} was loaded ${often}`;
  return { holds: false, reason, evidence: [{ kind: 'diff', expected: times(0), actual: often }] };
}

function missing(reason: string, expected: string, actual: readonly string[]): Finding {
  return { holds: false, reason, evidence: [{ kind: 'diff', expected, actual: [...actual] }] };
}
