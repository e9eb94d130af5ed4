import { useEffect, useState } from 'preact/hooks'
import { placeOf, type Place } from './place.ts'

/** The place in the address, so that reloading and the browser's Back lead where one expects. */
export function usePlace(): Place | undefined {
  const [place, setPlace] = useState(() => placeOf(location.hash))
  useEffect(() => {
    const follow = (): void => setPlace(placeOf(location.hash))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return place
}
