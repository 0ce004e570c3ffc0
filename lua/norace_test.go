//go:build !race

package lua

const raceDetector = false
