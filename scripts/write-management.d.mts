import type { JoinedDocument } from '../adapters/http/document.ts';

export function withManagement(page: string, joined: JoinedDocument): string;
