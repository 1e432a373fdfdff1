import type { JoinedDocument } from '../adapters/http/messages/document.ts';

export function managementFiles(joined: JoinedDocument): Record<string, string>;
