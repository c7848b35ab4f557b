import { request } from 'node:http';
import { onTestFinished } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { type RunningStudio, type StudioOptions, startStudio } from '../start-studio.ts';

/** An agent with no imports, so it loads from any folder. */
export const echoAgent = `export const rootAgent = (message, session) => {
  session.state.turns = (session.state.turns ?? 0) + 1;
  if (message === 'fail') throw new Error('it broke');
  return { text: 'You said: ' + message, toolCalls: [{ name: 'look_up', args: { text: message } }] };
};
`;

const turn = (text: string, answer: string) => ({
  invocation_id: `i-${text}`,
  user_content: { role: 'user', parts: [{ text }] },
  final_response: { role: 'model', parts: [{ text: answer }] },
  intermediate_data: { tool_uses: [{ name: 'look_up', args: { text } }] },
});

export const homeSet = {
  eval_set_id: 'home',
  name: 'Home',
  mine: { kept: true },
  eval_cases: [
    {
      eval_id: 'greets',
      name: 'A greeting',
      conversation: [{ ...turn('Hi', 'You said: Hi'), rubrics: [rubric('polite')] }],
      session_input: { app_name: 'echo', user_id: 'ann', state: { city: 'Rome', none: null } },
      rubrics: [rubric('short')],
      agent_criteria: { tags: ['smoke'] },
      creation_timestamp: 1,
    },
    { eval_id: 'a/b c', conversation: [turn('Bye', 'Farewell')] },
  ],
};

function rubric(id: string) {
  return { rubric_id: id, rubric_content: { text_property: `It is ${id}.` } };
}

export const homeFiles = { 'echo/agent.mjs': echoAgent, 'echo/home.evalset.json': homeSet };

export interface TestStudio extends RunningStudio {
  readonly folder: string;
  /** Sends a request with the bearer token. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** Sends and receives JSON. @param version Sent as `If-Match`; `*` matches any version. */
  json(
    method: string,
    path: string,
    body?: unknown,
    version?: string,
  ): Promise<{ readonly status: number; readonly body: unknown }>;
}

/** Starts a studio with these files and closes it after the test. */
export async function studioOf(
  files: Readonly<Record<string, unknown>> = homeFiles,
  options: StudioOptions = {},
): Promise<TestStudio> {
  const folder = options.folder ?? folderOf(files);
  const studio = await startStudio({
    folder,
    port: 0,
    // Most tests are about other things, and a process takes half a second.
    agentProcesses: false,
    environment: {},
    applyEnvironment: false,
    settings: { runsFolder: `${folder}/.agent-criteria/runs` },
    ...options,
  });
  onTestFinished(() => studio.close());
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(studio.url + path, { ...init, headers: { authorization: `Bearer ${studio.token}`, ...init.headers } });
  return {
    ...studio,
    folder,
    ask,
    async json(method, path, body, version) {
      const response = await ask(path, {
        method,
        headers: version === undefined ? {} : { 'if-match': version },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    },
  };
}

/** Starts a studio once more on the folder of another one. */
export function restarted({ folder }: TestStudio, options: StudioOptions = {}): Promise<TestStudio> {
  return studioOf({}, { folder, settings: { runsFolder: `${folder}/.agent-criteria/runs` }, ...options });
}

/** Sends a request verbatim, because `fetch` would normalise its path and add headers. */
export function rawRequest(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<{ readonly status: number; readonly text: string }> {
  const { port } = new URL(url);
  return new Promise((settle, fail) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, setHost: !('host' in headers) }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () => settle({ status: answer.statusCode ?? 0, text }));
    });
    sent.on('error', fail);
    sent.end();
  });
}
