import type { Part } from '@agent-criteria/core';

/** A part of a message by OpenTelemetry's conventions for generative AI. */
export type ConventionPart = Readonly<Record<string, unknown>>;

/** Writes a part of a message. @param onLoss Called for content that the conventions have no place for. */
export function conventionParts(part: Part, onLoss: (what: string) => void): readonly ConventionPart[] {
  const { text, thought, functionCall: call, inlineData, fileData } = part;
  if (typeof text === 'string') {
    if (text === '') return [];
    return [{ type: thought === true ? 'reasoning' : 'text', content: text }];
  }
  if (call) {
    const { id, name, args } = call;
    return [{ type: 'tool_call', ...(id ? { id } : {}), name: name ?? '', ...(args ? { arguments: args } : {}) }];
  }
  if (inlineData?.data) {
    const { mimeType, data, displayName } = inlineData;
    if (displayName) onLoss('names of files, left out');
    const type = mimeType ?? 'application/octet-stream';
    return [{ type: 'blob', modality: modalityOf(type), mime_type: type, content: data }];
  }
  if (fileData?.fileUri) {
    const { fileUri, mimeType, displayName } = fileData;
    if (displayName) onLoss('names of files, left out');
    const type = mimeType ? { mime_type: mimeType } : {};
    const modality = modalityOf(mimeType ?? '');
    const isUri = /^[a-z][a-z\d+.-]*:/i.test(fileUri);
    return [isUri ? { type: 'uri', modality, ...type, uri: fileUri } : { type: 'file', modality, file_id: fileUri }];
  }
  onLoss('parts of messages that are neither texts nor files, left out');
  return [];
}

function modalityOf(mimeType: string): string {
  const [kind = ''] = mimeType.split('/');
  return ['image', 'audio', 'video'].includes(kind) ? kind : 'document';
}
