//go:build race

package lua

const raceDetector = true
