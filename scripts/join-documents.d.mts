import type { JoinedDocument } from '../adapters/http/messages/document.ts';

export function readDocuments(): Record<string, object>;
type Joined = Omit<JoinedDocument, 'x-resolved'>;

export function joinDocuments(documents: Record<string, object>): Joined;
export function withResolved(joined: Joined): Promise<JoinedDocument>;
