export function writeDocuments(target: URL): Promise<void>;
