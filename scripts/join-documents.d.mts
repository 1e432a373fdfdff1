import type { JoinedDocument } from '../adapters/http/document.ts';

export function readDocuments(): Record<string, object>;
export function joinDocuments(documents: Record<string, object>): JoinedDocument;
