import type { JoinedDocument } from '../adapters/http/messages/document.ts';

export function readDocuments(): Record<string, object>;
export function joinDocuments(documents: Record<string, object>): JoinedDocument;
