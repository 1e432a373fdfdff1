import type { JoinedDocument } from '../adapters/http/messages/document.ts';

export function withManagement(page: string, joined: JoinedDocument): string;
