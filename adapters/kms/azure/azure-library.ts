/** The parts of the vendor's library that are used. */
export interface AzureLibrary
  extends Pick<typeof import('@azure/keyvault-keys'), 'CryptographyClient' | 'KeyClient'>,
    Pick<typeof import('@azure/core-rest-pipeline'), 'createEmptyPipeline' | 'createHttpHeaders'> {}

/** Loads the vendor's library, and ends the logging that environment variables have begun in it. */
export async function loadAzureLibrary(): Promise<AzureLibrary> {
  const [{ setLogLevel }, { CryptographyClient, KeyClient }, { createEmptyPipeline, createHttpHeaders }] =
    await Promise.all([import('@azure/logger'), import('@azure/keyvault-keys'), import('@azure/core-rest-pipeline')]);
  setLogLevel();
  return { CryptographyClient, KeyClient, createEmptyPipeline, createHttpHeaders };
}
