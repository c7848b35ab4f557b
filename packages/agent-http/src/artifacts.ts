import { askJson, type Connection, isRefusal } from '@agent-criteria/calls/agent-server';
import type { Part } from '@agent-criteria/core';
import type { AgentArtifacts } from '@agent-criteria/core/host';
import { isObject } from '@agent-criteria/formats';
import { segmentOf } from './agent-url.ts';
import type { OpenedSession, SessionOptions } from './sessions.ts';

/**
 * Gives access to the files that an agent saved, as reported by its server. If the server has no such route, there are
 * none.
 */
export function artifactsOf(connection: Connection, { path }: OpenedSession, options: SessionOptions): AgentArtifacts {
  const all = `${path}/artifacts`;
  const ask = async (at: string): Promise<unknown> => {
    const answer = await askJson(connection, { method: 'GET', path: at, ...options });
    if (!isRefusal(answer)) return answer.body;
    if ([404, 405, 501].includes(answer.status)) return null;
    throw answer.error;
  };
  const pathOf = (name: string) => `${all}/${segmentOf(name, 'the artifact')}`;
  return {
    async list() {
      const names = await ask(all);
      if (!Array.isArray(names)) return [];
      return Promise.all(
        names
          .filter((name) => typeof name === 'string' && name !== '' && name !== '.' && name !== '..')
          .map(async (name: string) => {
            const versions = await ask(`${pathOf(name)}/versions`);
            return { name, versions: Array.isArray(versions) ? versions.filter(Number.isInteger) : [] };
          }),
      );
    },
    async load(name, version) {
      const part = await ask(`${pathOf(name)}/versions/${version}`);
      return isObject(part) ? camelPart(part) : null;
    },
  };
}

/** Converts a part to camelCase, because older Python servers write snake_case. */
function camelPart(part: Readonly<Record<string, unknown>>): Part {
  const { inline_data: data = part.inlineData, file_data: file = part.fileData, text } = part;
  return {
    ...(typeof text === 'string' ? { text } : {}),
    ...(isObject(data) ? { inlineData: camelBlob(data) } : {}),
    ...(isObject(file) ? { fileData: camelBlob(file) } : {}),
  };
}

function camelBlob(blob: Readonly<Record<string, unknown>>): object {
  const { mime_type: mimeType = blob.mimeType, display_name: displayName = blob.displayName } = blob;
  const { file_uri: fileUri = blob.fileUri, data } = blob;
  return { mimeType, displayName, data, fileUri };
}
