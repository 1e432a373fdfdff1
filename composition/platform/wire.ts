import type { ContainerModuleLoadOptions } from 'inversify';

/** The name of one value of type T in the container. */
export interface Token<T> {
  readonly id: symbol;
  readonly type?: (value: T) => T;
}

export const token = <T>(name: string): Token<T> => ({ id: Symbol(name) });

/** Binds `name` to a singleton that `make` creates from `deps`; the compiler checks their types and order. */
export function provide<T, D extends unknown[]>(
  { bind }: Pick<ContainerModuleLoadOptions, 'bind'>,
  name: Token<T>,
  make: (...deps: D) => T,
  ...deps: { [I in keyof D]: Token<D[I]> }
): void {
  bind(name.id)
    .toResolvedValue(
      make as (...args: unknown[]) => T,
      deps.map((dep) => dep.id),
    )
    .inSingletonScope();
}
